#include "html_report/speed_ups.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace warpfork::html_report {

namespace {

using Names = std::vector<std::string>;

bool holds(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// What is compared: ways to execute the same on the same machine; else machines; else whatever else was varied.
Names compared_settings(const Names& varying) {
  Names compared;
  for (const char* name : {"mechanism", "lanes", "core", "configuration"})
    if (holds(varying, name)) compared.push_back(name);
  if (compared.empty() && holds(varying, "machine")) compared = {"machine"};
  for (const std::string& name : varying)
    if (compared.empty() && name != "program" && name != "arguments") compared = {name};
  return compared;
}

std::size_t index_of(Names& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

/// In microseconds where the clock is known, else in cycles.
double time_of(const Run& run) {
  const double cycles = run.totals.value("cycles", 0.0);
  const report::Json::json_pointer clock("/memory/clock/core_mhz");
  return run.machine.is_object() && run.machine.contains(clock) ? cycles / run.machine.at(clock).get<double>() : cycles;
}

void form_means(SpeedUps& all) {
  std::vector<double> logarithms(all.contestants.size());
  for (std::size_t group = 0; group < all.groups.size(); ++group) {
    const auto has_value = [&](const auto& values) { return values[group].has_value(); };
    if (!std::all_of(all.values.begin(), all.values.end(), has_value)) continue;
    ++all.groups_of_means;
    for (std::size_t i = 0; i < logarithms.size(); ++i) logarithms[i] += std::log(*all.values[i][group]);
  }
  for (const double sum : logarithms)
    all.means.push_back(all.groups_of_means == 0
                            ? std::nullopt
                            : std::optional(std::exp(sum / static_cast<double>(all.groups_of_means))));
}

}  // namespace

bool SpeedUps::compares_any() const {
  for (std::size_t contestant = 0; contestant < values.size(); ++contestant) {
    if (std::find(baselines.begin(), baselines.end(), contestants[contestant]) != baselines.end()) continue;
    for (const std::optional<double>& value : values[contestant])
      if (value) return true;
  }
  return false;
}

SpeedUps speed_ups(std::span<const Run> runs, const Names& varying) {
  SpeedUps all;
  all.of_run.resize(runs.size());
  const Names compared = compared_settings(varying);
  if (compared.empty()) return all;
  Names same = varying;
  std::erase_if(same, [&](const std::string& name) { return holds(compared, name); });
  if (same.empty()) same = {"program"};

  struct Place {
    std::size_t contestant, group;
  };
  std::vector<Place> places;
  for (const Run& run : runs)
    places.push_back({index_of(all.contestants, values_of(run, compared)), index_of(all.groups, values_of(run, same))});
  std::optional<std::size_t> baseline_of[2];        // of GPUs, of CPUs: contestant
  std::vector<double> baseline(all.groups.size());  // the first run of it, where there are several
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::optional<std::size_t>& contestant = baseline_of[runs[i].is_cpu ? 1 : 0];
    if (!contestant) {
      contestant = places[i].contestant;
      all.baselines.push_back(all.contestants[*contestant]);
    }
    if (places[i].contestant == *contestant && baseline[places[i].group] == 0)
      baseline[places[i].group] = time_of(runs[i]);
  }

  all.values.assign(all.contestants.size(), std::vector<std::optional<double>>(all.groups.size()));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double own = time_of(runs[i]), before = baseline[places[i].group];
    if (own == 0 || before == 0) continue;
    all.of_run[i] = before / own;
    std::optional<double>& value = all.values[places[i].contestant][places[i].group];
    if (!value) value = all.of_run[i];
  }
  form_means(all);
  return all;
}

}  // namespace warpfork::html_report
