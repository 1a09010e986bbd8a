// What a launch did in each stretch of its time (--interval N).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/named_counts.h"
#include "base/types.h"
#include "report/ratio.h"
#include "report/stall_cause.h"

namespace warpfork::report {

/// Of all cores.
struct IntervalSample {
  Cycle begin = 0, cycles = 0;
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  std::uint64_t warp_cycles = 0, split_cycles = 0, core_cycles = 0;
  std::array<std::uint64_t, kStallCauses> stalls{};
  std::uint64_t l1d_accesses = 0, l1d_misses = 0, l2_accesses = 0, l2_misses = 0;
  std::uint64_t dram_reads = 0, dram_writes = 0;
  std::vector<std::uint64_t> lane_threads;  // by lane; empty = lanes are side by side

  double ipc() const { return ratio(thread_instructions, cycles); }
  double active_lanes() const { return ratio(thread_instructions, warp_instructions); }
  double mean_warps() const { return ratio(warp_cycles, core_cycles); }
  double mean_splits() const { return ratio(split_cycles, warp_cycles); }

  template <class Visitor>
  void visit(Visitor&& v) {
    v.fact("begin", begin, "core cycles", "from the launch on");
    v.fact("cycles", cycles, "core cycles", "how long it is: the last one may be shorter");
    v.count("warp_instructions", warp_instructions, "warp instructions", "issued in it");
    v.count("thread_instructions", thread_instructions, "thread instructions", "their active lanes");
    v.rate("ipc", ipc(), "thread instructions per cycle", "`thread_instructions` / `cycles`, of the whole chip");
    v.rate("active_lanes", active_lanes(), "lanes", "of an issued warp instruction, mean");
    v.count("warp_cycles", warp_cycles, "warp-cycles", "of live warps");
    v.count("core_cycles", core_cycles, "core cycles", "of cores that held one");
    v.rate("mean_warps", mean_warps(), "warps", "live ones of a core, mean over the cycles in which it had any");
    v.count("split_cycles", split_cycles, "split-cycles", "of splits of these warps (`splits`)");
    v.rate("mean_splits", mean_splits(), "splits", "of a warp, mean over warp-cycles");
    v.group("stall_cycles", NamedCounts<kStallCauses>{stalls, kStallCauseKeys, "scheduler cycles"},
            "without an issue, by cause");
    v.count("l1d_accesses", l1d_accesses, "accesses", "to the cores' L1 data caches");
    v.count("l1d_misses", l1d_misses, "accesses", "of these, those that missed");
    v.count("l2_accesses", l2_accesses, "accesses", "to the L2");
    v.count("l2_misses", l2_misses, "accesses", "of these, those that missed");
    v.count("dram_reads", dram_reads, "bursts", "read");
    v.count("dram_writes", dram_writes, "bursts", "written");
    v.fact("lane_threads", lane_threads, "thread instructions",
           "that entered each lane of all cores, by lane; empty where lanes are side by side");
  }
};

/// Empty where nobody asked.
struct IntervalCounts {
  Cycle window = 0;
  std::vector<IntervalSample> samples;

  bool empty() const { return window == 0; }

  template <class Visitor>
  void visit(Visitor&& v) {
    v.fact("window", window, "core cycles", "that an interval is long, as asked for");
    v.list("samples", samples, "one entry for each interval, in their order; see below");
  }
};

}  // namespace warpfork::report
