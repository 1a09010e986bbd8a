// An experiment of a paper: which programs run on which machines, and which of their figures are shown beside the
// paper's.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpfork::config {

/// A machine to compare: a column of every figure. Of a plan about recorded programs it is a CPU core.
struct Configuration {
  std::string name;
  std::string divergence;              // of a GPU
  std::vector<std::string> overrides;  // path.to.key=value
  std::string core = {};               // of a CPU, which has `warps` of `threads` each
  unsigned warps = 0, threads = 0;
  std::string lanes = {};  // organisation of a GPU's; empty = as the machine says
};

/// One of the ways to do what the paper leaves open, where configurations do it in another.
struct OpenChoice {
  std::string name;
  std::vector<std::string> overrides;   // path.to.key=value
  std::vector<std::string> cores = {};  // that it makes a difference to; empty = all configurations
};

/// A program, or some of its kernels: a row of figures.
struct Benchmark {
  std::string name;
  std::string program;                   // file name; looked for among the workloads
  std::vector<std::string> arguments;    // at the scale that was asked for
  std::vector<std::string> region = {};  // functions that are recorded, of a plan about recorded programs
  bool varies = false;                   // no two recordings are the same
  std::string kernels = {};              // regular expression: which kernels' launches count; empty = all
};

/// What is read off a run: numbers of its totals (docs/result-schema.md), at JSON pointers without the first slash; of
/// an object or a list there, the sum of its numbers.
struct Quantity {
  enum class Relation { None, OfBaseline, SpeedUp };

  std::string title;
  std::vector<std::string> value;            // the sum of these
  std::vector<std::string> per;              // divided by the sum of these; empty = by 1
  double times = 1;                          // and multiplied by this one
  Relation relation = Relation::None;        // divided by the baseline's, or that divided by this
  std::map<std::string, double> paper = {};  // by benchmark: what the paper has in its table
};

enum class Mean { None, Arithmetic, Harmonic, Geometric };
/// "mean", "harmonic mean" or "geometric mean".
std::string_view name_of(Mean mean);

/// A statement of the paper that our numbers can bear out or not.
struct Claim {
  std::string text;
  std::string paper;                    // the paper's number, as printed there; empty = it gives none
  std::string configuration;            // whose numbers
  std::string over;                     // each benchmark's divided by that of this configuration; empty = by 1
  std::string of;                       // a benchmark, or "mean", "largest" or "smallest" of `among`
  std::size_t quantity = 0;             // of the figure's, which one
  std::vector<std::string> among = {};  // benchmarks; empty = all
  std::optional<double> at_least, at_most;
  std::vector<std::string> greater, lesser;  // each of these benchmarks above each of those, instead of the bounds
  bool band = false;                         // its number is also told for every open choice

  bool of_several() const { return of == "mean" || of == "largest" || of == "smallest"; }
};

/// A figure of the paper.
struct Figure {
  std::string name, title;
  Mean mean = Mean::None;
  std::vector<std::string> benchmarks = {};  // its rows; empty = all
  std::vector<std::string> configurations;   // shown; empty = all
  bool by_configuration = false;             // one table of means: a row for each of these, a column for each quantity
  std::vector<Quantity> quantities;          // a table each
  std::vector<Claim> claims;

  /// The names of the configurations that are shown, of a plan with these.
  std::vector<std::string> columns(const std::vector<Configuration>& all) const;
  /// The names of the benchmarks that are shown, of a plan with these.
  std::vector<std::string> rows(const std::vector<Benchmark>& all) const;
};

struct ExperimentPlan {
  std::string title, paper;
  std::string machine;                 // empty: recorded programs on CPU cores
  std::vector<std::string> overrides;  // on all configurations
  std::string baseline;                // name of a configuration
  std::vector<Configuration> configurations;
  std::vector<OpenChoice> choices;
  std::vector<Benchmark> benchmarks;
  bool is_partial = false;  // benchmarks were left out
  std::vector<Figure> figures;

  /// Whether a figure has a number of what runs cost or the chip measures (`energy/…`, `area/…`).
  bool asks_for_energy() const;
};

/// The names of the scales: how large the benchmarks' inputs are.
inline constexpr std::array<std::string_view, 2> kScales = {"small", "paper"};

/// Reads an experiment file (docs/experiments.md) at one of kScales; `name` is what messages call the file. Throws
/// Error with file, line and column for whatever is wrong in it.
ExperimentPlan parse_experiment(std::string_view text, std::string_view name, const std::string& scale);

}  // namespace warpfork::config
