// A run as a report tells it from others: by what was run, and on which machine.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "html_report/result_files.h"
#include "report/json.h"

namespace warpfork::html_report {

/// One of the things that tell runs apart: ("mechanism", "tbc"), ("nodes", "500").
struct Setting {
  std::string name, value;
  bool operator==(const Setting&) const = default;
};

/// What is not known is null.
struct Run {
  std::string file;
  std::vector<Setting> settings;
  report::Json totals, machine, energy, launches;
  bool is_cpu = false;

  /// "" if it has none of the name.
  const std::string& value(const std::string& name) const;
};

/// All runs of the results, those of experiments behind the others. Settings are the program, its arguments, the
/// machine, its `mechanism` and `lanes`, or the `core` of a CPU, or the `configuration` of an experiment; of points of
/// a sweep its axes in place of arguments; of other runs the keys of the machine that differ between machines of one
/// name. Points of sweeps are in the order of their settings, numbers by size, and what is conventional before the
/// rest.
std::vector<Run> runs_of(Results results);

/// The values of these settings in one text; those that do not tell what they are of have their names before them:
/// "bfs 500 tbc", "bfs cores 8".
std::string values_of(const Run& run, const std::vector<std::string>& names);

/// Names of the settings that are not the same in all runs, in the order in which they come up.
std::vector<std::string> varying_settings(std::span<const Run> runs);

/// A setting's value as a number, whatever its digits; nothing for other text.
std::optional<double> number_in(const std::string& text);

}  // namespace warpfork::html_report
