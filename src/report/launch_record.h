// The figures of one launch: a new one costs the place that counts it, a field, and a line of visit().
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/active_mask.h"
#include "base/types.h"
#include "report/activity_count.h"
#include "report/branch_count.h"
#include "report/divergent_path_count.h"
#include "report/finding.h"
#include "report/interval_count.h"
#include "report/lane_count.h"
#include "report/launcher.h"
#include "report/line_count.h"
#include "report/memory_counts.h"
#include "report/occupancy_count.h"
#include "report/register_count.h"
#include "report/sample_count.h"
#include "report/scalar_count.h"
#include "report/split_count.h"
#include "report/table_count.h"

namespace warpfork::report {

/// visit() names every key of the record in the order in which results write it, with unit and definition
/// (record_visitor.h says which visitors there are).
struct LaunchRecord {
  std::string name;
  bool timed = false;
  std::string cut_off;  // why it was stopped before its end, and where everything was; empty = it ended
  Launcher launched_by;
  unsigned warp_size = 32;
  Dim3 grid, block;
  Cycle cycles = 0;
  std::uint64_t warp_instructions = 0, thread_instructions = 0, executed_thread_instructions = 0;
  std::uint64_t lane_slots = 0;  // of all warp instructions
  std::array<std::uint64_t, kMaxWarpSize + 1> active_lanes{};
  RegisterCount registers;
  ScalarCount scalars;
  DivergentPathCount divergent_paths;
  std::uint64_t idle_cycles = 0, scheduler_cycles = 0;
  std::array<std::uint64_t, kStallCauses> stalls{};
  OccupancyCount occupancy;
  ThreadCycles thread_cycles{};
  SplitCount splits;
  TableCount tables;
  LaneCount lanes;
  MemoryCounts memory;
  ActivityCount activity;
  std::vector<BranchCount> branches;  // by PC
  LineCounts lines;
  IntervalCounts intervals;
  Findings findings;
  SampleCount sample;

  double simd_efficiency() const { return ratio(thread_instructions, lane_slots); }
  double ipc() const { return ratio(thread_instructions, cycles); }
  /// Forms the counts of instructions from active_lanes.
  void count_instructions();

  template <class Visitor>
  void visit(Visitor&& v);

 private:
  template <class Visitor>
  void visit_timing(Visitor&& v);
};

template <class Visitor>
void LaunchRecord::visit(Visitor&& v) {
  v.hidden("timed", timed);
  v.fact("name", name, "text", "of the kernel, as in the PTX");
  v.note(
      "mode", std::string(timed ? "timing" : "functional"), "text",
      "`timing`: simulated in detail; `functional`: executed only, one block after the other (`--functional-only`, or "
      "not meant by `--kernels` or `--launches`), so that a program with data races between blocks may compute "
      "something else than "
      "with `timing`. A functional launch has the keys up to `scalars`, but no `cycles`, and `findings`");
  v.group("launched_by", launched_by, "only of a grid that threads of another launch have launched; see below");
  v.fact("grid", grid, "blocks", "x, y, z");
  v.fact("block", block, "threads", "x, y, z");
  v.fact("warp_size", warp_size, "threads", "of a warp of the machine");
  v.mark("cut_off", cut_off,
         "only of a launch that `--max-cycles` or `--max-instructions` ended: its last one. The other keys hold what "
         "was counted until then");
  if (timed)
    v.count("cycles", cycles, "core cycles",
            "from the launch to the end of the last block, including its outstanding stores");
  v.count("warp_instructions", warp_instructions, "warp instructions", "issued; every PTX instruction counts as one");
  v.count("thread_instructions", thread_instructions, "thread instructions",
          "sum over these of their active lanes; a lane whose guard is false counts, as it is active");
  v.count("executed_thread_instructions", executed_thread_instructions, "thread instructions",
          "the same without lanes whose guard is false");
  v.hidden("lane_slots", lane_slots);
  v.rate("simd_efficiency", simd_efficiency(), "0 … 1", "`thread_instructions` / (`warp_instructions` × warp size)");
  v.count("active_lanes_histogram", first_of(active_lanes, counted_lanes(warp_size) + 1), "warp instructions",
          "33 counts: issued with 0, 1, … 32 active lanes; with warps of more than 32 threads as many more");
  v.group("registers", registers, "that the kernel takes, before they are rounded up; see below");
  v.group("scalars", ScalarsOfLaunch{scalars, warp_instructions},
          "only with `core.scalarize`: what was executed once for a warp; see below");
  if (timed) visit_timing(v);
  v.group("findings", findings, "of `--racecheck` and `--memcheck`, where they were asked for; see below");
}

template <class Visitor>
void LaunchRecord::visit_timing(Visitor&& v) {
  v.group("divergent_paths", divergent_paths, "the instructions of divergent paths; see below");
  v.rate("ipc", ipc(), "thread instructions per cycle", "`thread_instructions` / `cycles`, of the whole chip");
  v.count("idle_cycles", idle_cycles, "core cycles", "in which a core held a live warp and issued nothing");
  v.count("scheduler_cycles", scheduler_cycles, "scheduler cycles",
          "of the warp schedulers of cores that held a live warp; each has issued or has one cause in `stalls`");
  v.group("stalls", NamedCounts<kStallCauses>{stalls, kStallCauseKeys, "scheduler cycles"},
          "without an issue, by cause; see below");
  v.group("occupancy", occupancy, "how many blocks and warps a core could hold, and held; see below");
  v.group("thread_states", NamedCounts<kThreadStates>{thread_cycles, kThreadStateKeys, "thread-cycles"},
          "what the threads of resident blocks were doing, by state; see below");
  v.group("splits", SplitsOfWarps{splits, warp_size},
          "how many splits warps had and how many threads were in them; see below");
  v.group("tables", tables, "use of the mechanism's split and reconvergence tables; see below");
  v.group("lanes", lanes,
          "of temporal lanes, and, of those side by side that compress cycles, what they executed; see below");
  memory.visit(v);
  v.group("activity", activity, "what instructions did to the cores' units, where `--energy` asked for it; see below");
  v.list("branches", branches, "one entry for each conditional branch that was executed, by PC; see below");
  v.group("lines", lines, "what each instruction cost, where `--lines` asked for it; see below");
  v.group("intervals", intervals, "the launch over time, where `--interval` asked for it; see below");
  v.group("sampled", sample, "where `--sample` asked for it: how much of the launch was simulated; see below");
}

}  // namespace warpfork::report
