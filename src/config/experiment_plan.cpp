#include "config/experiment_plan.h"

#include <algorithm>
#include <regex>

#include "base/error.h"
#include "base/named.h"
#include "config/table_reader.h"

namespace warpfork::config {

namespace {

constexpr unsigned kMostThreads = 64;  // of a CPU core

/// Benchmarks that a file calls by one name.
struct Group {
  std::string name;
  std::vector<std::string> benchmarks;
};

/// Reads the tables of one file. Names that it has read before can be referred to.
class PlanReader {
 public:
  PlanReader(std::string_view file, const std::string& scale) : file_(file), scale_(scale) {}

  ExperimentPlan read(const toml::table& root) {
    const TableReader top(
        root, file_, "an experiment",
        {"title", "paper", "machine", "set", "baseline", "configuration", "choice", "benchmark", "group", "figure"});
    ExperimentPlan plan;
    plan.title = top.text("title");
    plan.paper = top.text("paper");
    if (top.has("machine")) plan.machine = top.text("machine");
    recorded_ = plan.machine.empty();
    plan.overrides = top.texts("set");
    for (const toml::table* table : top.tables("configuration")) plan.configurations.push_back(configuration(*table));
    for (const toml::table* table : top.tables("choice")) plan.choices.push_back(choice(*table, plan));
    for (const toml::table* table : top.tables("benchmark"))
      for (Benchmark& benchmark : benchmarks_of(*table)) plan.benchmarks.push_back(std::move(benchmark));
    if (plan.benchmarks.empty()) throw Error("{}an experiment needs a [[benchmark]]", top.place("benchmark"));
    for (const toml::table* table : top.tables("group")) groups_.push_back(group(*table));
    plan.baseline = top.choice("baseline", configurations_);
    for (const toml::table* table : top.tables("figure")) plan.figures.push_back(figure(*table));
    return plan;
  }

 private:
  Configuration configuration(const toml::table& table) {
    const TableReader reader(table, file_, "a configuration",
                             recorded_ ? std::vector<std::string>{"name", "core", "warps", "threads", "set"}
                                       : std::vector<std::string>{"name", "divergence", "lanes", "set"});
    configurations_.push_back(new_name(reader, configurations_));
    Configuration configuration;
    configuration.name = configurations_.back();
    configuration.overrides = reader.texts("set");
    if (!recorded_) {
      configuration.divergence = reader.text("divergence");
      if (reader.has("lanes")) configuration.lanes = reader.text("lanes");
      return configuration;
    }
    configuration.core = reader.text("core");
    configuration.warps = static_cast<unsigned>(reader.natural("warps", kMostThreads));
    configuration.threads = static_cast<unsigned>(reader.natural("threads", kMostThreads));
    if (configuration.warps == 0 || configuration.threads == 0 ||
        configuration.warps * configuration.threads > kMostThreads)
      throw Error("{}a core has 1 to {} threads", reader.place("threads"), kMostThreads);
    return configuration;
  }

  OpenChoice choice(const toml::table& table, const ExperimentPlan& plan) {
    const TableReader reader(table, file_, "a choice", {"name", "set", "cores"});
    choices_.push_back(new_name(reader, choices_));
    std::vector<std::string> cores;
    for (const Configuration& configuration : plan.configurations) cores.push_back(configuration.core);
    OpenChoice choice{choices_.back(), reader.texts("set"), reader.choices("cores", cores)};
    if (choice.overrides.empty()) throw Error("{}a choice needs the key 'set'", reader.place("name"));
    return choice;
  }

  /// One, or one for each of the kernels that the table names.
  std::vector<Benchmark> benchmarks_of(const toml::table& table) {
    std::vector<std::string> keys = {"name", "program"};
    keys.insert(keys.end(), recorded_ ? std::initializer_list<std::string>{"region", "varies"}
                                      : std::initializer_list<std::string>{"kernels"});
    keys.insert(keys.end(), kScales.begin(), kScales.end());
    const TableReader reader(table, file_, "a benchmark", keys);
    if (reader.has("kernels")) return kernels(reader);
    benchmarks_.push_back(new_name(reader, benchmarks_));
    return {{benchmarks_.back(), reader.text("program"), reader.texts(scale_), reader.texts("region"),
             reader.has("varies") && reader.boolean("varies")}};
  }

  std::vector<Benchmark> kernels(const TableReader& reader) {
    if (reader.has("name")) throw Error("{}a benchmark has either 'name' or 'kernels'", reader.place("name"));
    std::vector<Benchmark> rows;
    for (const auto& [name, expression] : reader.texts_by_name("kernels")) {
      require_new(reader, "kernels", name, benchmarks_);
      try {
        std::regex(expression, std::regex::extended);
      } catch (const std::regex_error& error) {
        throw Error("{}'{}' is not a regular expression: {}", reader.place("kernels"), expression, error.what());
      }
      benchmarks_.push_back(name);
      rows.push_back({name, reader.text("program"), reader.texts(scale_), {}, false, expression});
    }
    return rows;
  }

  Group group(const toml::table& table) const {
    const TableReader reader(table, file_, "a group", {"name", "benchmarks"});
    Group group{new_name(reader, names_with_groups()), benchmarks(reader, "benchmarks")};
    if (group.benchmarks.empty()) throw Error("{}a group needs the key 'benchmarks'", reader.place("name"));
    return group;
  }

  /// The benchmarks at `key`, where a group's name stands for all of the group.
  std::vector<std::string> benchmarks(const TableReader& reader, std::string_view key) const {
    std::vector<std::string> all;
    for (const std::string& name : reader.choices(key, names_with_groups())) {
      const auto group = std::ranges::find(groups_, name, &Group::name);
      if (group == groups_.end())
        all.push_back(name);
      else
        all.insert(all.end(), group->benchmarks.begin(), group->benchmarks.end());
    }
    return all;
  }

  std::vector<std::string> names_with_groups() const {
    std::vector<std::string> names = benchmarks_;
    for (const Group& group : groups_) names.push_back(group.name);
    return names;
  }

  Figure figure(const toml::table& table) const {
    const TableReader reader(table, file_, "a figure",
                             {"name", "title", "mean", "rows", "benchmarks", "configurations", "quantity", "claim"});
    Figure figure;
    figure.name = reader.text("name");
    figure.title = reader.text("title");
    if (reader.has("mean")) figure.mean = mean(reader.choice("mean", {"arithmetic", "harmonic", "geometric"}));
    figure.by_configuration =
        reader.has("rows") && reader.choice("rows", {"benchmarks", "configurations"}) == "configurations";
    if (figure.by_configuration && figure.mean == Mean::None)
      throw Error("{}rows of configurations show means: the figure needs the key 'mean'", reader.place("rows"));
    figure.benchmarks = benchmarks(reader, "benchmarks");
    figure.configurations = reader.choices("configurations", configurations_);
    for (const toml::table* entry : reader.tables("quantity")) figure.quantities.push_back(quantity(*entry));
    if (figure.quantities.empty()) throw Error("{}a figure needs a [[figure.quantity]]", reader.place("name"));
    for (const toml::table* entry : reader.tables("claim")) figure.claims.push_back(claim(*entry, figure));
    return figure;
  }

  static Mean mean(const std::string& name) {
    if (name == "harmonic") return Mean::Harmonic;
    return name == "geometric" ? Mean::Geometric : Mean::Arithmetic;
  }

  Quantity quantity(const toml::table& table) const {
    const TableReader reader(table, file_, "a quantity", {"title", "value", "per", "times", "relation", "paper"});
    Quantity quantity;
    quantity.title = reader.text("title");
    quantity.value = reader.texts("value");
    if (quantity.value.empty()) throw Error("{}a quantity needs the key 'value'", reader.place("title"));
    quantity.per = reader.texts("per");
    if (reader.has("times")) quantity.times = reader.real("times");
    if (reader.has("relation"))
      quantity.relation = reader.choice("relation", {"of-baseline", "speed-up"}) == "speed-up"
                              ? Quantity::Relation::SpeedUp
                              : Quantity::Relation::OfBaseline;
    quantity.paper = reader.reals("paper", benchmarks_);
    return quantity;
  }

  Claim claim(const toml::table& table, const Figure& figure) const {
    const TableReader reader(table, file_, "a claim",
                             {"text", "paper", "quantity", "configuration", "over", "of", "among", "at_least",
                              "at_most", "greater", "lesser", "band"});
    Claim claim;
    claim.text = reader.text("text");
    if (reader.has("quantity")) claim.quantity = quantity_of(figure, reader);
    claim.among = benchmarks(reader, "among");
    claim.configuration = reader.choice("configuration", configurations_);
    if (reader.has("paper")) claim.paper = reader.text("paper");
    if (reader.has("over")) claim.over = reader.choice("over", configurations_);
    claim.greater = benchmarks(reader, "greater");
    claim.lesser = benchmarks(reader, "lesser");
    if (claim.greater.empty() != claim.lesser.empty())
      throw Error("{}'greater' and 'lesser' go together", reader.place("text"));
    if (reader.has("at_least")) claim.at_least = reader.real("at_least");
    if (reader.has("at_most")) claim.at_most = reader.real("at_most");
    const bool bounded = claim.at_least || claim.at_most;
    if (bounded != claim.greater.empty())
      throw Error("{}a claim needs either bounds ('at_least', 'at_most') or 'greater' and 'lesser'",
                  reader.place("text"));
    if (bounded) claim.of = reader.choice("of", subjects());
    if (!claim.among.empty() && !claim.of_several())
      throw Error("{}'among' goes with 'mean', 'largest' or 'smallest'", reader.place("among"));
    claim.band = reader.has("band") && reader.boolean("band");
    if (claim.band && !bounded) throw Error("{}'band' goes with bounds", reader.place("band"));
    return claim;
  }

  static std::size_t quantity_of(const Figure& figure, const TableReader& reader) {
    std::vector<std::string> titles;
    for (const Quantity& quantity : figure.quantities) titles.push_back(quantity.title);
    const std::string title = reader.choice("quantity", titles);
    return static_cast<std::size_t>(std::ranges::find(titles, title) - titles.begin());
  }

  std::vector<std::string> subjects() const {
    std::vector<std::string> all = {"mean", "largest", "smallest"};
    all.insert(all.end(), benchmarks_.begin(), benchmarks_.end());
    return all;
  }

  static std::string new_name(const TableReader& reader, const std::vector<std::string>& taken) {
    require_new(reader, "name", reader.text("name"), taken);
    return reader.text("name");
  }

  static void require_new(const TableReader& reader, std::string_view key, const std::string& name,
                          const std::vector<std::string>& taken) {
    if (std::find(taken.begin(), taken.end(), name) != taken.end())
      throw Error("{}there are two of the name '{}'", reader.place(key), name);
  }

  std::string_view file_;
  const std::string& scale_;
  bool recorded_ = false;  // the plan is about recorded programs
  std::vector<std::string> configurations_, choices_, benchmarks_;
  std::vector<Group> groups_;
};

}  // namespace

std::string_view name_of(Mean mean) {
  if (mean == Mean::Harmonic) return "harmonic mean";
  return mean == Mean::Geometric ? "geometric mean" : "mean";
}

std::vector<std::string> Figure::columns(const std::vector<Configuration>& all) const {
  return configurations.empty() ? names_of(all) : configurations;
}

std::vector<std::string> Figure::rows(const std::vector<Benchmark>& all) const {
  std::vector<std::string> names = names_of(all);
  if (benchmarks.empty()) return names;
  std::vector<std::string> shown = benchmarks;
  std::erase_if(shown, [&](const std::string& name) { return std::ranges::find(names, name) == names.end(); });
  return shown;
}

bool ExperimentPlan::asks_for_energy() const {
  const auto is_of_energy = [](const std::string& path) {
    return path.starts_with("energy/") || path.starts_with("area/");
  };
  return std::ranges::any_of(figures, [&](const Figure& figure) {
    return std::ranges::any_of(figure.quantities, [&](const Quantity& quantity) {
      return std::ranges::any_of(quantity.value, is_of_energy) || std::ranges::any_of(quantity.per, is_of_energy);
    });
  });
}

ExperimentPlan parse_experiment(std::string_view text, std::string_view name, const std::string& scale) {
  if (std::find(kScales.begin(), kScales.end(), scale) == kScales.end())
    throw Error("there is no scale '{}'\n  known: {}", scale, fmt::join(kScales, ", "));
  return PlanReader(name, scale).read(parse_toml(text, name));
}

}  // namespace warpfork::config
