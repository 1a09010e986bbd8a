// The figures of one launch (docs/result-schema.md, "An element of launches").
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/active_mask.h"
#include "base/types.h"
#include "report/lane_count.h"
#include "report/lane_timeline.h"
#include "report/launch_listener.h"
#include "report/result_document.h"
#include "report/split_count.h"
#include "report/table_count.h"

namespace warpfork::report {

/// Of `warp_instructions` and `thread_instructions` those on divergent paths (CAPRI section IV).
struct DivergentPathCount {
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
};

struct CacheCount {
  std::uint64_t accesses = 0, misses = 0;
};

/// What block-wide compaction did at one branch.
struct CompactionCount {
  std::uint64_t waited = 0, bypassed = 0, bypassed_right = 0, bypassed_wrong = 0;
  std::uint64_t right = 0, wrong = 0, undivided = 0, warps_before = 0, warps_after = 0;
  std::uint64_t cycles_waited_for_nothing = 0;
};

struct BranchCount {
  Pc pc = 0;
  unsigned ptx_line = 0;
  std::string source_file;  // empty = unknown
  unsigned source_line = 0;
  std::uint64_t executions = 0, divergent = 0, places = 0, lost_lane_slots = 0;
  std::optional<CompactionCount> compaction{};  // of mechanisms that regroup, where warps met or parted
};

struct OccupancyCount {
  unsigned registers_per_thread = 0, shared_bytes = 0, blocks_per_core = 0, max_warps = 0;
  unsigned live_registers = 0, blocks_without_registers = 0;
  std::string registers_from;
  std::vector<std::string> limited_by;
  std::uint64_t warp_cycles = 0, core_cycles = 0;  // mean warps = warp_cycles / core_cycles
};

struct LaunchRecord {
  std::string name;
  bool timed = false;
  std::string cut_off;  // why it was stopped before its end, and where everything was; empty = it ended
  unsigned warp_size = 32;
  Dim3 grid, block;
  Cycle cycles = 0;
  std::uint64_t warp_instructions = 0, thread_instructions = 0, executed_thread_instructions = 0;
  std::array<std::uint64_t, kMaxWarpSize + 1> active_lanes{};
  DivergentPathCount divergent_paths;
  std::uint64_t idle_cycles = 0, scheduler_cycles = 0;
  std::array<std::uint64_t, kStallCauses> stalls{};
  OccupancyCount occupancy;
  ThreadCycles thread_cycles{};
  SplitCount splits;
  TableCount tables;
  LaneCount lanes;  // of temporal lanes, as the timeline of core 0
  LaneTimeline lane_timeline;
  CacheCount l1d, l1i, constant, texture, l2;
  std::uint64_t dram_reads = 0, dram_writes = 0, dram_activates = 0, dram_precharges = 0, dram_row_hits = 0;
  std::vector<BranchCount> branches;  // by PC
};

Json to_json(const LaunchRecord& record);

}  // namespace warpfork::report
