#include "report/result_document.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/launch_json.h"
#include "report/launch_totals.h"
#include "report/sampling_error.h"

namespace warpfork::report {

namespace {

constexpr int kSchema = 1;

/// Lists of numbers stay on their line; everything else gets a line of its own.
void write(const Json& value, std::size_t indent, std::string& out) {
  const bool flat =
      value.is_array() && std::none_of(value.begin(), value.end(), [](const Json& v) { return v.is_structured(); });
  if (!value.is_structured() || value.empty() || flat) {
    out += value.dump();
    return;
  }
  const std::string inner(indent + 2, ' ');
  out += value.is_object() ? '{' : '[';
  const char* separator = "\n";
  for (const auto& [key, part] : value.items()) {
    out += separator + inner;
    if (value.is_object()) out += Json(key).dump() + ": ";
    write(part, indent + 2, out);
    separator = ",\n";
  }
  out += '\n' + std::string(indent, ' ') + (value.is_object() ? '}' : ']');
}

}  // namespace

Json result_document(const Tool& tool, const Json& machine, const Json& program,
                     std::span<const LaunchRecord> launches) {
  Json document;
  document["schema"] = kSchema;
  document["warpfork"] = {{"version", tool.version}, {"commit", tool.commit}};
  document["machine"] = machine;
  document["program"] = program;
  document["launches"] = Json::array();
  for (const LaunchRecord& launch : launches) document["launches"].push_back(to_json(launch));
  LaunchTotals totals = sum_launches(launches);
  const SamplingError error(launches);
  totals.sampled = {error.launches(), error.half_intervals()};
  document["totals"] = to_json(totals);
  return document;
}

std::string write_document(const Json& document) {
  std::string text;
  write(document, 0, text);
  return text + '\n';
}

}  // namespace warpfork::report
