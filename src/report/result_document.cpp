#include "report/result_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "report/split_count.h"
#include "report/table_count.h"

namespace warpfork::report {

namespace {

constexpr int kSchema = 1;
constexpr std::size_t kWarpSize = 32;

/// Adds numbers, lists of numbers and objects of these, key by key.
void add(Json& sum, const Json& value) {
  if (sum.is_null()) {
    sum = value;
  } else if (value.is_object()) {
    for (const auto& [key, part] : value.items()) add(sum[key], part);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) add(sum[i], value[i]);
  } else {
    sum = sum.get<std::uint64_t>() + value.get<std::uint64_t>();
  }
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

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

Json empty_totals() {
  Json totals = {{"launches", 0}, {"cycles", 0}, {"warp_instructions", 0}, {"thread_instructions", 0}};
  totals["executed_thread_instructions"] = 0;
  totals["simd_efficiency"] = 0.0;
  totals["active_lanes_histogram"] = std::vector<std::uint64_t>(kWarpSize + 1, 0);
  totals["ipc"] = 0.0;
  totals["idle_cycles"] = 0;
  totals["scheduler_cycles"] = 0;
  for (const char* cause : {"pipeline", "memory", "scoreboard", "barrier", "compaction", "fetch", "no_warp"})
    totals["stalls"][cause] = 0;
  for (const char* state :
       {"eligible", "data_hazard", "structural_hazard", "empty_buffer", "suspended", "barrier", "finished"})
    totals["thread_states"][state] = 0;
  totals["splits"] = to_json(SplitCount());
  totals["tables"] = to_json(TableCount());
  for (const char* cache : {"l1d", "l1i", "constant", "texture", "l2"})
    totals["caches"][cache] = {{"accesses", 0}, {"misses", 0}};
  totals["dram"] = {{"reads", 0}, {"writes", 0}, {"activates", 0}, {"precharges", 0}, {"row_hits", 0}};
  return totals;
}

}  // namespace

Json sum_launches(const Json& launches) {
  Json totals = empty_totals();
  SplitCount splits;
  TableCount tables;
  for (const Json& launch : launches) {
    if (launch.at("mode") != "timing") continue;
    add(totals["launches"], 1);
    for (const char* key :
         {"cycles", "warp_instructions", "thread_instructions", "executed_thread_instructions",
          "active_lanes_histogram", "idle_cycles", "scheduler_cycles", "stalls", "thread_states", "caches", "dram"})
      add(totals[key], launch.at(key));
    for (const Json& branch : launch.at("branches"))
      if (branch.contains("compaction")) add(totals["compaction"], branch.at("compaction"));
    add(splits, launch.at("splits"));
    add(tables, launch.at("tables"));
  }
  const double threads = totals["thread_instructions"].get<double>();
  totals["simd_efficiency"] = ratio(threads, totals["warp_instructions"].get<double>() * kWarpSize);
  totals["splits"] = to_json(splits);
  totals["tables"] = to_json(tables);
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
