#include "report/result_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "report/launch_record.h"
#include "report/ratio.h"
#include "report/split_count.h"
#include "report/table_count.h"

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

/// Of a launch in which nothing happened.
Json empty_totals() {
  LaunchRecord none;
  none.timed = true;
  const Json launch = to_json(none);
  Json totals = {{"launches", 0}};
  for (const char* key : {"cycles", "warp_instructions", "thread_instructions", "executed_thread_instructions",
                          "simd_efficiency", "active_lanes_histogram", "divergent_paths", "ipc", "idle_cycles",
                          "scheduler_cycles", "stalls", "thread_states", "splits", "tables", "caches", "dram"})
    totals[key] = launch.at(key);
  return totals;
}

std::uint64_t lane_slots_of(const Json& counts, const Json& launch) {
  return counts.at("warp_instructions").get<std::uint64_t>() * launch.at("warp_size").get<std::uint64_t>();
}

}  // namespace

void add_counts(Json& sum, const Json& counts) {
  if (sum.is_null()) {
    sum = counts;
  } else if (counts.is_object()) {
    for (const auto& [key, part] : counts.items()) add_counts(sum[key], part);
  } else if (counts.is_array()) {
    for (std::size_t i = 0; i < counts.size(); ++i) add_counts(sum[i], counts[i]);
  } else {
    sum = sum.get<std::uint64_t>() + counts.get<std::uint64_t>();
  }
}

Json sum_launches(const Json& launches) {
  Json totals = empty_totals();
  SplitCount splits;
  TableCount tables;
  LaneCount lanes;
  Json& divergent = totals["divergent_paths"];
  std::uint64_t lane_slots = 0, divergent_lane_slots = 0;
  unsigned warp_size = 0;
  for (const Json& launch : launches) {
    if (launch.at("mode") != "timing") continue;
    add_counts(totals["launches"], 1);
    for (const char* key :
         {"cycles", "warp_instructions", "thread_instructions", "executed_thread_instructions",
          "active_lanes_histogram", "idle_cycles", "scheduler_cycles", "stalls", "thread_states", "caches", "dram"})
      add_counts(totals[key], launch.at(key));
    for (const char* key : {"warp_instructions", "thread_instructions"})
      add_counts(divergent[key], launch.at("divergent_paths").at(key));
    lane_slots += lane_slots_of(launch, launch);
    divergent_lane_slots += lane_slots_of(launch.at("divergent_paths"), launch);
    for (const Json& branch : launch.at("branches"))
      if (branch.contains("compaction")) add_counts(totals["compaction"], branch.at("compaction"));
    add(splits, launch.at("splits"));
    warp_size = std::max(warp_size, launch.at("warp_size").get<unsigned>());
    add(tables, launch.at("tables"));
    if (launch.contains("lanes")) add(lanes, launch.at("lanes"));
  }
  const double threads = totals["thread_instructions"].get<double>();
  totals["simd_efficiency"] = ratio(threads, static_cast<double>(lane_slots));
  divergent["simd_efficiency"] =
      ratio(divergent["thread_instructions"].get<double>(), static_cast<double>(divergent_lane_slots));
  totals["splits"] = to_json(splits, warp_size);
  totals["tables"] = to_json(tables);
  if (lanes.lanes != 0) totals["lanes"] = to_json(lanes);
  totals["ipc"] = ratio(threads, totals["cycles"].get<double>());
  return totals;
}

Json result_document(const Tool& tool, Json machine, Json program, Json launches) {
  Json document;
  document["schema"] = kSchema;
  document["warpfork"] = {{"version", tool.version}, {"commit", tool.commit}};
  document["machine"] = std::move(machine);
  document["program"] = std::move(program);
  document["launches"] = std::move(launches);
  document["totals"] = sum_launches(document["launches"]);
  return document;
}

std::string write_document(const Json& document) {
  std::string text;
  write(document, 0, text);
  return text + '\n';
}

}  // namespace warpfork::report
