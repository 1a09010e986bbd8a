#include "simulation/work_options.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <regex>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "report/launch_range.h"
#include "simulation/key_use.h"

namespace warpfork::simulation {

namespace {

/// What is done with a file of this name that is no program. Empty if the name does not say.
std::string other_use(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension();
  if (extension == ".cu") return fmt::format("a source; build it first: warpfork cc {} -o program", file);
  if (extension == ".toml")
    return fmt::format("no program; a launch file goes with its kernel: kernel.ptx --launch {}", file);
  if (extension == ".wft") return fmt::format("a recording of CPU threads: warpfork cpu run {}, or cpu compare", file);
  return "";
}

void require_executable(const std::string& program) {
  const std::string use = other_use(program);
  if (!use.empty() && access(program.c_str(), X_OK) != 0) throw Error("{}: is {}", program, use);
}

void require_nothing_is_set_twice(const WorkOptions& options) {
  const auto of = [](const std::string& one, const std::vector<std::string>& several) {
    return several.empty() ? one : fmt::format("{}", fmt::join(several, ","));
  };
  require_undecided(options.overrides, "divergence.mechanism", "--divergence",
                    of(options.mechanisms.divergence, options.divergences));
  require_undecided(options.overrides, "core.lanes.organisation", "--lanes",
                    of(options.mechanisms.lanes, options.lanes));
  require_undecided(options.overrides, "core.scheduler", "--scheduler", options.scheduler);
  require_undecided(options.overrides, "core.scalarize", "--scalarize", options.scalarize);
}

/// Those that belong to --trace say nothing without it.
void require_trace_is_whole(const WorkOptions& options) {
  const trace::Request& trace = options.trace;
  const trace::Request unasked;
  if (!trace.file.empty()) return;
  if (trace.cycles != unasked.cycles) throw Error("--trace-cycles goes with --trace FILE");
  if (trace.cores != unasked.cores) throw Error("--trace-cores goes with --trace FILE");
  if (options.trace_megabytes != WorkOptions().trace_megabytes) throw Error("--trace-limit goes with --trace FILE");
}

void require_save_is_whole(const WorkOptions& options) {
  const cuda::SaveRequest& save = options.save;
  if (save.launch == 0 && !save.file.empty()) throw Error("-o writes the launch that --save-launch N names: give both");
  if (save.launch != 0 && save.file.empty())
    throw Error("--save-launch {}: give the file, too: -o FILE.wfl", save.launch);
  if (!save.file.empty() && !save.file.ends_with(".wfl"))
    throw Error("-o {}: a saved launch is known by its name: let it end in .wfl", save.file);
}

/// What would have to say how far it may be off, and cannot.
void require_sample_is_possible(const WorkOptions& options) {
  if (options.sample.empty()) {
    if (options.sample.seed != 0) throw Error("--sample-seed goes with --sample SHARE");
    return;
  }
  if (!(options.sample.share > 0 && options.sample.share < 1))
    throw Error("--sample {}: a share of a launch's blocks lies between 0 and 1", options.sample.share);
  if (options.functional_only) throw Error("--sample needs timing: it cannot stand beside --functional-only");
  for (const auto& [asked, option, cause] :
       {std::tuple(!options.trace.file.empty(), "--trace", "a timeline has no error bars"),
        std::tuple(options.lines, "--lines", "lines that no simulated block comes to would cost nothing"),
        std::tuple(options.interval != 0, "--interval", "most of the launch's time is not simulated"),
        std::tuple(options.check_races, "--racecheck", "blocks that are only executed are not watched"),
        std::tuple(options.energy, "--energy", "power over time, and its peak, cannot be estimated"),
        std::tuple(options.max_cycles != 0, "--max-cycles", "most cycles are not simulated but estimated"),
        std::tuple(options.max_instructions != 0, "--max-instructions", "a launch that is cut off cannot be estimated"),
        std::tuple(options.threads > 1, "--threads above 1", "blocks are executed between those of the cores")})
    if (asked) throw Error("{} cannot stand beside --sample: {}\n  leave one of them out", option, cause);
}

}  // namespace

void require_consistent(const WorkOptions& options) {
  require_executable(options.program);
  if (options.is_bare_kernel() && options.launch.empty())
    throw Error("{}: a bare kernel needs --launch FILE.toml\n  (entry name, grid, block and arguments)",
                options.program);
  if (!options.is_bare_kernel() && !options.launch.empty())
    throw Error("--launch goes with a bare kernel (a file that ends in .ptx), not with a program");
  if (options.is_saved_launch() && options.check_memory)
    throw Error("--memcheck: a saved launch does not say which of its memory was written; run the program itself");
  if (options.energy && options.functional_only)
    throw Error("--energy needs timing: it cannot stand beside --functional-only");
  if (options.threads > 1 && options.functional_only)
    throw Error("--threads above 1 needs timing: it cannot stand beside --functional-only");
  require_sample_is_possible(options);
  require_nothing_is_set_twice(options);
  report::launch_range(options.launches);
  require_save_is_whole(options);
  require_trace_is_whole(options);
  if (!options.csv.empty() && options.interval == 0)
    throw Error("--csv writes what --interval CYCLES counts: give both");
  if (options.csv == "-" && options.json == "-") throw Error("--csv and --json cannot both be standard output");
  if (options.functional_only)
    for (const auto& [asked, option] :
         {std::pair(options.lines, "--lines"), std::pair(options.interval != 0, "--interval"),
          std::pair(options.check_races, "--racecheck"), std::pair(!options.trace.file.empty(), "--trace")})
      if (asked) throw Error("{} needs timing: it cannot stand beside --functional-only", option);
  try {
    std::regex(options.kernels, std::regex::extended);
  } catch (const std::regex_error& error) {
    throw Error("--kernels '{}': not a regular expression: {}", options.kernels, error.what());
  }
}

void require_comparable(const WorkOptions& options) {
  for (const auto& [asked, option] :
       {std::pair(options.lines, "--lines"), std::pair(options.interval != 0, "--interval"),
        std::pair(options.check_races, "--racecheck"), std::pair(options.check_memory, "--memcheck"),
        std::pair(!options.sample.empty(), "--sample"), std::pair(options.threads > 1, "--threads"),
        std::pair(options.save.launch != 0, "--save-launch"), std::pair(!options.trace.file.empty(), "--trace")})
    if (asked) throw Error("{} is of `run`, not of `compare`: run each mechanism with it", option);
  // all mechanisms are compared, whatever the machine's is
  if (!options.divergences.empty() || !options.lanes.empty()) return;
  if (const std::string* const setting = setting_of(options.overrides, "divergence.mechanism"))
    throw Error("--set {}: without --divergence all mechanisms are compared\n  name some: --divergence NAME,NAME",
                *setting);
}

}  // namespace warpfork::simulation
