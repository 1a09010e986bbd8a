#include "report/launch_record.h"

#include "report/lane_histogram.h"
#include "report/ratio.h"

namespace warpfork::report {

namespace {

Json dimensions(Dim3 value) { return Json::array({value.x, value.y, value.z}); }

Json divergent_paths(const DivergentPathCount& count, unsigned warp_size) {
  return {{"warp_instructions", count.warp_instructions},
          {"thread_instructions", count.thread_instructions},
          {"simd_efficiency", ratio(count.thread_instructions, count.warp_instructions * warp_size)}};
}

Json cache(const CacheCount& count) { return {{"accesses", count.accesses}, {"misses", count.misses}}; }

/// Counts by the name of each.
template <std::size_t N>
Json named(const char* const (&names)[N], const std::array<std::uint64_t, N>& counts) {
  Json json;
  for (std::size_t i = 0; i < N; ++i) json[names[i]] = counts[i];
  return json;
}

constexpr const char* kStallNames[kStallCauses] = {"pipeline",   "memory", "scoreboard", "barrier",
                                                   "compaction", "fetch",  "no_warp"};
constexpr const char* kThreadStateNames[kThreadStates] = {
    "eligible", "data_hazard", "structural_hazard", "empty_buffer", "suspended", "barrier", "finished"};

Json occupancy(const OccupancyCount& count) {
  return {{"registers_per_thread", count.registers_per_thread},
          {"registers_from", count.registers_from},
          {"live_registers", count.live_registers},
          {"shared_bytes", count.shared_bytes},
          {"blocks_per_core", count.blocks_per_core},
          {"blocks_without_registers", count.blocks_without_registers},
          {"limited_by", count.limited_by},
          {"mean_warps", ratio(count.warp_cycles, count.core_cycles)},
          {"max_warps", count.max_warps}};
}

Json compaction(const CompactionCount& count) {
  return {{"waited", count.waited},
          {"bypassed", count.bypassed},
          {"bypassed_right", count.bypassed_right},
          {"bypassed_wrong", count.bypassed_wrong},
          {"right", count.right},
          {"wrong", count.wrong},
          {"undivided", count.undivided},
          {"warps_before", count.warps_before},
          {"warps_after", count.warps_after},
          {"cycles_waited_for_nothing", count.cycles_waited_for_nothing}};
}

Json branch(const BranchCount& count) {
  Json source = nullptr;
  if (!count.source_file.empty()) source = {{"file", count.source_file}, {"line", count.source_line}};
  Json json = {{"pc", count.pc},
               {"ptx_line", count.ptx_line},
               {"source", source},
               {"executions", count.executions},
               {"divergent", count.divergent},
               {"mean_splits", ratio(count.places, count.executions)},
               {"lost_lane_slots", count.lost_lane_slots}};
  if (count.compaction) json["compaction"] = compaction(*count.compaction);
  return json;
}

}  // namespace

Json to_json(const LaunchRecord& record) {
  Json json;
  json["name"] = record.name;
  json["mode"] = record.timed ? "timing" : "functional";
  json["grid"] = dimensions(record.grid);
  json["block"] = dimensions(record.block);
  json["warp_size"] = record.warp_size;
  if (!record.cut_off.empty()) json["cut_off"] = true;
  if (record.timed) json["cycles"] = record.cycles;
  json["warp_instructions"] = record.warp_instructions;
  json["thread_instructions"] = record.thread_instructions;
  json["executed_thread_instructions"] = record.executed_thread_instructions;
  json["simd_efficiency"] = ratio(record.thread_instructions, record.warp_instructions * record.warp_size);
  json["active_lanes_histogram"] = first_of(record.active_lanes, counted_lanes(record.warp_size) + 1);
  if (!record.timed) return json;
  json["divergent_paths"] = divergent_paths(record.divergent_paths, record.warp_size);
  json["ipc"] = ratio(record.thread_instructions, record.cycles);
  json["idle_cycles"] = record.idle_cycles;
  json["scheduler_cycles"] = record.scheduler_cycles;
  json["stalls"] = named(kStallNames, record.stalls);
  json["occupancy"] = occupancy(record.occupancy);
  json["thread_states"] = named(kThreadStateNames, record.thread_cycles);
  json["splits"] = to_json(record.splits, record.warp_size);
  json["tables"] = to_json(record.tables);
  if (record.lanes.lanes != 0) {
    json["lanes"] = to_json(record.lanes);
    if (!record.lane_timeline.empty()) json["lanes"]["timeline"] = record.lane_timeline.to_json(0);
  }
  json["caches"] = {{"l1d", cache(record.l1d)},
                    {"l1i", cache(record.l1i)},
                    {"constant", cache(record.constant)},
                    {"texture", cache(record.texture)},
                    {"l2", cache(record.l2)}};
  json["dram"] = {{"reads", record.dram_reads},
                  {"writes", record.dram_writes},
                  {"activates", record.dram_activates},
                  {"precharges", record.dram_precharges},
                  {"row_hits", record.dram_row_hits}};
  json["branches"] = Json::array();
  for (const BranchCount& count : record.branches) json["branches"].push_back(branch(count));
  return json;
}

}  // namespace warpfork::report
