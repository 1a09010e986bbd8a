#include "html_report/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

namespace warpfork::html_report {

namespace {

using report::Json;

/// Settings whose values say themselves what they are of.
const std::set<std::string> kWords = {"program", "arguments", "machine", "mechanism", "lanes", "core", "configuration"};

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string joined(const Json& words) {
  std::vector<std::string> texts;
  for (const Json& word : words) texts.push_back(text_of(word));
  return fmt::format("{}", fmt::join(texts, " "));
}

Json taken(Json& object, const char* key) { return object.contains(key) ? std::move(object[key]) : Json(); }

/// What of the machine stands in results as settings of their own, or says nothing of it.
bool is_told_otherwise(const std::string& path) {
  static const std::set<std::string> kPaths = {"/name", "/summary", "/divergence/mechanism",
                                               "/core/lanes/organisation"};
  return kPaths.count(path) != 0;
}

/// "/core/l1d/ways" as machine files and --set spell it.
std::string dotted(const std::string& path) {
  std::string key = path.substr(1);
  std::replace(key.begin(), key.end(), '/', '.');
  return key;
}

void add_gpu_settings(Run& run, const Json& document, const Json& point) {
  const Json& program = document.at("program");
  run.settings.push_back({"program", text_of(point.is_null() ? program.at("name") : point.at("program").at("name"))});
  if (point.is_null()) run.settings.push_back({"arguments", joined(program.value("arguments", Json::array()))});
  run.settings.push_back(
      {"machine", text_of(point.is_null() ? run.machine.at("name") : point.at("machine").at("name"))});
  run.settings.push_back({"mechanism", text_of(run.machine.at("divergence").at("mechanism"))});
  run.settings.push_back({"lanes", text_of(run.machine.at("core").at("lanes").at("organisation"))});
}

void add_cpu_settings(Run& run, const Json& document, const Json& point) {
  const Json& recording = document.at("recording");
  if (point.is_null()) {
    run.settings.push_back({"program", std::filesystem::path(text_of(recording.at("program"))).filename().string()});
    run.settings.push_back({"arguments", joined(recording.value("arguments", Json::array()))});
  } else {
    run.settings.push_back({"program", text_of(point.at("program").at("name"))});
    run.settings.push_back({"machine", text_of(point.at("machine").at("name"))});
  }
  run.settings.push_back({"core", text_of(document.at("core"))});
}

Run run_of(RunResult& result) {
  Run run;
  Json& document = result.document;
  run.file = std::move(result.file);
  run.is_cpu = document.contains("recording");
  run.totals = taken(document, "totals");
  run.machine = taken(document, "machine");
  run.launches = taken(document, "launches");
  run.energy = run.is_cpu ? taken(run.totals, "energy") : taken(document, "energy");
  if (run.is_cpu)
    add_cpu_settings(run, document, result.point);
  else
    add_gpu_settings(run, document, result.point);
  if (!result.point.is_null())
    for (const auto& [name, value] : result.point.at("axes").items()) run.settings.push_back({name, text_of(value)});
  return run;
}

Run run_of_experiment(const Json& experiment, Json& document) {
  Run run;
  run.file = text_of(experiment.at("experiment"));
  run.settings = {{"program", text_of(document.at("benchmark"))},
                  {"arguments", joined(document.value("arguments", Json::array()))},
                  {"configuration", text_of(document.at("configuration"))}};
  for (const char* more : {"choice", "recording"})
    if (document.contains(more)) run.settings.push_back({more, text_of(document[more])});
  run.totals = taken(document, "totals");
  run.energy = taken(run.totals, "energy");
  return run;
}

/// Adds to runs that are no points the keys in which machines of one name differ.
class MachineDifferences {
 public:
  void look_at(const Run& run) {
    if (!run.machine.is_object()) return;
    std::map<std::string, Json>& first = first_[name_of(run)];
    const Json flat = run.machine.flatten();
    for (const auto& [path, value] : flat.items()) {
      const Json& before = first.emplace(path, value).first->second;
      if (before != value && !is_told_otherwise(path)) differing_.insert(path);
    }
  }
  void add_to(Run& run) const {
    for (const std::string& path : differing_) {
      const Json::json_pointer place(path);
      if (run.machine.contains(place)) run.settings.push_back({dotted(path), text_of(run.machine.at(place))});
    }
  }

 private:
  static std::string name_of(const Run& run) { return run.is_cpu ? run.value("core") : run.value("machine"); }

  std::map<std::string, std::map<std::string, Json>> first_;  // by machine and path
  std::set<std::string> differing_;
};

/// What others are compared with comes first, numbers by size come next.
auto rank_of(const Setting& setting) {
  const std::optional<double> number = number_in(setting.value);
  const bool is_conventional = setting.value == "pdom" || setting.value == "simt" || setting.value == "smt";
  return std::tuple(is_conventional ? 0 : number ? 1 : 2, number.value_or(0), setting.value);
}

bool comes_before(const Run& one, const Run& other) {
  return std::lexicographical_compare(one.settings.begin(), one.settings.end(), other.settings.begin(),
                                      other.settings.end(),
                                      [](const Setting& a, const Setting& b) { return rank_of(a) < rank_of(b); });
}

/// A plan's machine is one core. Where no two are of the same core its own name says all, else that of the machine
/// does: it must not keep cores apart that are to be compared.
void name_cores_by_machines(std::vector<Run>& points) {
  std::map<std::string, std::set<std::string>> machines;  // by core
  for (const Run& run : points)
    if (run.is_cpu) machines[run.value("core")].insert(run.value("machine"));
  const bool are_told_by_core =
      std::all_of(machines.begin(), machines.end(), [](const auto& core) { return core.second.size() == 1; });
  for (Run& run : points) {
    if (!run.is_cpu) continue;
    const std::string name = run.value(are_told_by_core ? "core" : "machine");
    std::erase_if(run.settings, [](const Setting& setting) { return setting.name == "machine"; });
    std::find_if(run.settings.begin(), run.settings.end(), [](const Setting& setting) {
      return setting.name == "core";
    })->value = name;
  }
}

/// A sweep's axis that only chooses the mechanism, lanes or core says it twice.
void drop_repeated_axes(std::vector<Run>& runs) {
  std::set<std::string> names, different;
  for (const Run& run : runs)
    for (const auto& [name, value] : run.settings) {
      if (kWords.count(name) != 0) continue;
      names.insert(name);
      if (value != run.value("mechanism") && value != run.value("lanes") && value != run.value("core"))
        different.insert(name);
    }
  for (Run& run : runs)
    std::erase_if(run.settings,
                  [&](const Setting& s) { return names.count(s.name) != 0 && different.count(s.name) == 0; });
}

/// An axis may have the name of one of our own settings ("mechanism"): its value is the same, or ours is the better.
void drop_doubles(Run& run) {
  std::set<std::string> seen;
  std::erase_if(run.settings, [&](const Setting& setting) { return !seen.insert(setting.name).second; });
}

}  // namespace

const std::string& Run::value(const std::string& name) const {
  static const std::string kNone;
  const auto found =
      std::find_if(settings.begin(), settings.end(), [&](const Setting& setting) { return setting.name == name; });
  return found == settings.end() ? kNone : found->value;
}

std::vector<Run> runs_of(Results results) {
  std::vector<Run> runs, points;
  MachineDifferences differences;
  for (RunResult& result : results.runs) {
    if (!result.point.is_null()) {
      points.push_back(run_of(result));
      drop_doubles(points.back());
    } else {
      runs.push_back(run_of(result));
      differences.look_at(runs.back());
    }
  }
  for (Run& run : runs) differences.add_to(run);
  name_cores_by_machines(points);
  std::stable_sort(points.begin(), points.end(), comes_before);
  std::move(points.begin(), points.end(), std::back_inserter(runs));
  drop_repeated_axes(runs);
  for (Json& experiment : results.experiments)
    for (Json& document : experiment.at("runs")) runs.push_back(run_of_experiment(experiment, document));
  return runs;
}

std::string values_of(const Run& run, const std::vector<std::string>& names) {
  std::vector<std::string> values;
  for (const std::string& name : names)
    if (const std::string& value = run.value(name); !value.empty())
      values.push_back(kWords.count(name) != 0 ? value : name + " " + value);
  return fmt::format("{}", fmt::join(values, " "));
}

std::vector<std::string> varying_settings(std::span<const Run> runs) {
  std::vector<std::string> names;
  for (const Run& run : runs)
    for (const Setting& setting : run.settings)
      if (std::find(names.begin(), names.end(), setting.name) == names.end()) names.push_back(setting.name);
  std::erase_if(names, [&](const std::string& name) {
    return std::all_of(runs.begin(), runs.end(),
                       [&](const Run& run) { return run.value(name) == runs.front().value(name); });
  });
  return names;
}

std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace warpfork::html_report
