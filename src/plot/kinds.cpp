#include "plot/kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/error.h"
#include "html_report/run_figures.h"
#include "html_report/speed_ups.h"
#include "html_report/timeline.h"
#include "plot/bars.h"
#include "plot/lines.h"

namespace warpfork::plot {

namespace {

using html_report::Run;
using report::Json;
using Names = std::vector<std::string>;

constexpr std::size_t kLaneBands = 8;

/// What tells the run from the others; of a single one, what it ran.
std::string name_of(const Run& run, const Names& varying) {
  const std::string name = values_of(run, varying);
  return name.empty() ? run.value("program") : name;
}

Picture speed_up_bars(const std::vector<Run>& runs, const Choice& choice) {
  const html_report::SpeedUps all = speed_ups(runs, varying_settings(runs));
  if (!all.compares_any())
    throw Error("--kind speedup: no two of the runs do the same work under different mechanisms, lanes or cores");
  const auto is_known = [](const std::optional<double>& value) { return value.has_value(); };
  std::vector<std::size_t> shown;  // contestants: not what they are compared with
  for (std::size_t i = 0; i < all.contestants.size(); ++i)
    if (std::ranges::find(all.baselines, all.contestants[i]) == all.baselines.end() &&
        std::ranges::any_of(all.values[i], is_known))
      shown.push_back(i);
  Bars bars;
  bars.y_title = fmt::format("speed-up over {}", fmt::join(all.baselines, ", "));
  bars.about =
      fmt::format("{}; the mean is geometric, over {} of {}", bars.y_title, all.groups_of_means, all.groups.size());
  bars.reference = 1;
  for (const std::size_t i : shown) bars.series.push_back(all.contestants[i]);
  for (std::size_t group = 0; group < all.groups.size(); ++group) {
    std::vector<std::optional<double>> row;
    for (const std::size_t i : shown) row.push_back(all.values[i][group]);
    if (std::ranges::none_of(row, is_known)) continue;
    bars.groups.push_back(all.groups[group]);
    bars.values.push_back(std::move(row));
  }
  if (all.groups.size() > 1 && all.groups_of_means > 0) {
    bars.groups.emplace_back("mean");
    std::vector<std::optional<double>>& row = bars.values.emplace_back();
    for (const std::size_t i : shown) row.push_back(all.means[i]);
  }
  return bars.picture(choice.width);
}

/// Shares as stacks of percents: one for each run that has the figure. `parts`: name and share of each part.
Picture stacks(const std::vector<Run>& runs, const Choice& choice, Bars bars, const char* what,
               std::vector<std::pair<std::string, double>> (*parts)(const Run&)) {
  const Names varying = varying_settings(runs);
  std::vector<std::map<std::string, double>> shares;
  for (const Run& run : runs) {
    const auto own = parts(run);
    if (own.empty()) continue;
    bars.groups.push_back(name_of(run, varying));
    shares.emplace_back(own.begin(), own.end());
    for (const auto& [name, share] : own)
      if (std::ranges::find(bars.series, name) == bars.series.end()) bars.series.push_back(name);
  }
  if (bars.groups.empty()) throw Error("no run says {}", what);
  for (const auto& of_run : shares) {
    std::vector<std::optional<double>>& row = bars.values.emplace_back();
    for (const std::string& name : bars.series) row.push_back(of_run.contains(name) ? of_run.at(name) * 100 : 0.0);
  }
  bars.stacked = true;
  return bars.picture(choice.width);
}

std::vector<std::pair<std::string, double>> waits_of(const Run& run) {
  std::vector<std::pair<std::string, double>> parts;
  const Json figures = figures_of(run);
  if (!figures.contains("waits")) return parts;
  for (const auto& [name, share] : figures["waits"].items()) parts.emplace_back(name, share.get<double>());
  return parts;
}

/// Of CPU cores it is warps that wait.
std::string_view cycles_shared_by(const std::vector<Run>& runs) {
  bool of_warps = false, of_schedulers = false;
  for (const Run& run : runs) {
    of_warps |= run.totals.contains("warp_cycles");
    of_schedulers |= run.totals.contains("scheduler_cycles");
  }
  if (of_warps && of_schedulers) return "scheduler cycles (CPU cores: warp-cycles)";
  return of_warps ? "warp-cycles" : "scheduler cycles";
}

Picture stall_stacks(const std::vector<Run>& runs, const Choice& choice) {
  const std::string_view cycles = cycles_shared_by(runs);
  Bars bars;
  bars.y_title = fmt::format("{}, %", cycles);
  bars.about = fmt::format("share of {} with an issue, and without one by cause, % (docs/glossary.md)", cycles);
  return stacks(runs, choice, std::move(bars), "why its schedulers issued nothing", waits_of);
}

/// In bands of as many lanes each, all that the warp size has.
std::vector<std::pair<std::string, double>> bands_of(const Run& run) {
  std::vector<std::pair<std::string, double>> parts;
  const Json figures = figures_of(run);
  if (!figures.contains("lanes") || figures["lanes"].empty()) return parts;
  const Json::json_pointer place("/core/warp_size");
  const std::size_t most = run.machine.is_object() && run.machine.contains(place)
                               ? run.machine.at(place).get<std::size_t>()
                               : figures["lanes"].size() - 1;
  const std::size_t width = std::max<std::size_t>(1, (most + kLaneBands - 1) / kLaneBands);
  for (std::size_t first = 1; first <= most; first += width) {
    const std::size_t last = std::min(first + width - 1, most);
    double share = 0;
    for (std::size_t lanes = first; lanes <= last && lanes < figures["lanes"].size(); ++lanes)
      share += figures["lanes"][lanes].get<double>();
    parts.emplace_back(first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last), share);
  }
  return parts;
}

Picture lane_stacks(const std::vector<Run>& runs, const Choice& choice) {
  Bars bars;
  bars.y_title = "warp instructions, %";
  bars.about = "share of issued warp instructions by their number of active lanes, %";
  return stacks(runs, choice, std::move(bars), "how many lanes were active", bands_of);
}

/// "active lanes" of "active_lanes".
std::string title_of(std::string quantity) {
  if (quantity == "ipc") return "IPC";
  std::ranges::replace(quantity, '_', ' ');
  return quantity;
}

bool has_value(const Lines::Series& series) {
  return std::ranges::any_of(series.points, [](const Lines::Point& point) { return point.y.has_value(); });
}

Picture curves(const std::vector<Run>& runs, const Choice& choice) {
  const Names varying = varying_settings(runs);
  Lines lines;
  lines.x_title = "core cycles";
  lines.y_title = title_of(choice.quantity);
  lines.about = lines.y_title + " over core cycles, launches one behind the other";
  Names known;
  for (const Run& run : runs) {
    const Json timeline = timeline_of(run);
    if (timeline.is_null()) continue;
    for (const auto& [name, column] : timeline.items())
      if (name != "begin" && name != "launches" && name != "waits") known.push_back(name);
    if (!timeline.contains(choice.quantity)) continue;
    Lines::Series& series = lines.series.emplace_back();
    series.name = name_of(run, varying);
    const Json& values = timeline[choice.quantity];
    for (std::size_t i = 0; i < values.size(); ++i)
      series.points.push_back({timeline["begin"][i].get<double>(),
                               values[i].is_null() ? std::nullopt : std::optional(values[i].get<double>())});
  }
  if (known.empty() && std::ranges::all_of(runs, &Run::is_cpu))
    throw Error("--kind interval: what CPU cores do is not counted over time");
  if (known.empty()) throw Error("no run was counted over time\n  run it with --interval CYCLES --json FILE");
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  if (lines.series.empty())
    throw Error("--quantity {}: counted over time are {}", choice.quantity, fmt::join(known, ", "));
  if (std::ranges::none_of(lines.series, has_value))
    throw Error("--quantity {}: no stretch of any run has a value\n  counted over time are {}", choice.quantity,
                fmt::join(known, ", "));
  return lines.picture();
}

std::string axis_of(const std::vector<Run>& runs, const Names& varying, const std::string& wanted) {
  const auto has_numbers = [&](const std::string& name) {
    return std::ranges::all_of(runs,
                               [&](const Run& run) { return html_report::number_in(run.value(name)).has_value(); });
  };
  for (const std::string& name : varying)
    if (has_numbers(name) && (wanted.empty() || wanted == name)) return name;
  if (!wanted.empty())
    throw Error("--x {}: no setting with different numbers in all runs; what varies: {}", wanted,
                fmt::join(varying, ", "));
  throw Error("--kind sweep: no setting has different numbers in all runs; what varies: {}", fmt::join(varying, ", "));
}

const html_report::Metric& metric(const std::string& key, std::size_t& number) {
  Names known;
  for (number = 0; number < html_report::metrics().size(); ++number) {
    const html_report::Metric& one = html_report::metrics()[number];
    if (one.key == key && key != "speed_up") return one;
    if (one.key != "speed_up") known.push_back(one.key);
  }
  throw Error("--quantity {}: no quantity of a run; there are {}", key, fmt::join(known, ", "));
}

Picture sweep_lines(const std::vector<Run>& runs, const Choice& choice) {
  Names others = varying_settings(runs);
  const std::string axis = axis_of(runs, others, choice.x);
  std::erase(others, axis);
  std::size_t number = 0;
  const html_report::Metric& drawn = metric(choice.quantity, number);
  Lines lines;
  lines.x_title = axis;
  lines.y_title = drawn.unit.empty() ? drawn.title : fmt::format("{}, {}", drawn.title, drawn.unit);
  lines.about = fmt::format("{} over {}: {}", drawn.title, axis, drawn.about);
  lines.has_points = true;
  for (const Run& run : runs) {
    const Json value = metric_values(run, std::nullopt)[number];
    if (value.is_null()) continue;
    const std::string name = name_of(run, others);
    auto series = std::ranges::find_if(lines.series, [&](const Lines::Series& one) { return one.name == name; });
    if (series == lines.series.end()) series = lines.series.insert(series, {name, {}});
    series->points.push_back({*html_report::number_in(run.value(axis)), value.get<double>()});
  }
  if (lines.series.empty()) throw Error("--quantity {}: no run has it", choice.quantity);
  for (Lines::Series& series : lines.series)
    std::ranges::stable_sort(series.points, {}, [](const Lines::Point& point) { return point.x; });
  return lines.picture();
}

constexpr std::array<Kind, 5> kKinds = {{
    {"speedup", "bars of speed-ups over the first mechanism (or lanes, core …), with their geometric mean",
     speed_up_bars},
    {"stalls", "stacks of scheduler cycles (of CPU cores warp-cycles): with an issue, and without one by cause",
     stall_stacks},
    {"lanes", "stacks of warp instructions by their number of active lanes", lane_stacks},
    {"interval", "curves over time, of what `run --interval` counted", curves},
    {"sweep", "lines of a quantity over a setting that has numbers", sweep_lines},
}};

}  // namespace

std::span<const Kind> kinds() { return kKinds; }

const Kind& find_kind(std::string_view name) {
  const auto found = std::ranges::find_if(kKinds, [&](const Kind& kind) { return kind.name == name; });
  if (found != kKinds.end()) return *found;
  std::vector<std::string_view> known;
  for (const Kind& kind : kKinds) known.push_back(kind.name);
  throw Error("--kind {}: there are {}", name, fmt::join(known, ", "));
}

}  // namespace warpfork::plot
