// How many splits warps had, and how many threads ran in them (docs/result-schema.md, "splits").
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/active_mask.h"
#include "report/lane_histogram.h"
#include "report/launch_listener.h"
#include "report/ratio.h"

namespace warpfork::report {

struct SplitCount {
  std::array<std::uint64_t, kMaxWarpSize + 1> warp_cycles{};   // by number of splits of the warp
  std::array<std::uint64_t, kMaxWarpSize + 1> split_cycles{};  // by number of threads of the split
  std::array<std::uint64_t, kMaxWarpSize> thread_cycles{};     // by rank of the thread's split in its warp
  std::uint64_t live_thread_cycles = 0;
  std::uint64_t without_buffer_cycles = 0;  // split-cycles

  void add(const SplitEvent& event);
  double mean() const;
  unsigned max() const;
  /// By number of splits less 1, up to the number of lanes.
  std::vector<double> schedulable(unsigned lanes) const;

  /// Of warps of so many threads.
  template <class Visitor>
  void visit(Visitor&& v, unsigned warp_size) {
    const unsigned lanes = counted_lanes(warp_size);
    v.rate("mean", mean(), "splits", "of a warp, mean over warp-cycles (MULTIPATH Figure 13)");
    v.rate("max", max(), "splits", "the largest number");
    v.count("warp_cycles", first_of(warp_cycles, lanes + 1), "warp-cycles",
            "33 counts, as `active_lanes_histogram`: with 0, 1, … 32 splits. 0: the warp waits for others (`tbc`, "
            "`capri`)");
    v.count("split_cycles", first_of(split_cycles, lanes + 1), "split-cycles",
            "33 counts, as `active_lanes_histogram`: of splits with 0, 1, … 32 threads");
    v.count("thread_cycles", first_of(thread_cycles, lanes), "thread-cycles",
            "32 counts, as many as threads of larger warps: of threads in splits of rank 0, 1, …");
    v.count("live_thread_cycles", live_thread_cycles, "thread-cycles", "of threads that had not exited");
    v.rate("schedulable", schedulable(lanes), "0 … 1",
           "32 shares, as many as threads of larger warps: of the live threads, those in the first 1, 2, … 32 splits "
           "of their warp (MULTIPATH Figure 4, as "
           "seen in a run of this mechanism; with a limit the run would take another course: `divergence.max_splits`)");
    v.count("without_buffer_cycles", without_buffer_cycles, "split-cycles",
            "in which a split could have issued but all instruction buffer entries of the core belonged to others");
  }
};

/// The splits of warps of so many threads, as a group of their launch.
struct SplitsOfWarps {
  SplitCount& splits;
  unsigned warp_size;

  template <class Visitor>
  void visit(Visitor&& v) {
    splits.visit(v, warp_size);
  }
};

}  // namespace warpfork::report
