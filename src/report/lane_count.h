// What temporal lanes did in a launch (docs/result-schema.md, "lanes"; STSIMT Table IV and Figure 4).
#pragma once

#include <array>
#include <cstdint>

#include "base/named_counts.h"
#include "report/lane_timeline.h"
#include "report/launch_listener.h"
#include "report/ratio.h"

namespace warpfork::report {

inline constexpr std::array<CaseKey, 3> kIssueConflictKeys = {{
    {"one", "a single lane"},
    {"two", "two lanes"},
    {"three_or_more", "three or more"},
}};

struct LaneCount {
  std::uint64_t lanes = 0, width = 0;
  std::uint64_t threads = 0, thread_slots = 0;
  Cycle core_cycles = 0, warps = 0, holding = 0, available = 0;  // warp-cycles, and the latter two in lane-cycles
  std::array<Cycle, 3> conflicts{};  // core cycles in which 1, 2, more lanes' instructions waited
  LaneTimeline timeline;             // of core 0

  void add(const LaneCycles& cycles);
  void add(const IssueRun& run) {
    threads += run.lane_threads;
    thread_slots += run.lane_slots;
  }

  /// A warp instruction takes the same time whatever its mask.
  bool empty() const { return lanes == 0 && thread_slots == 0; }
  double effective_simd_efficiency() const { return ratio(threads, thread_slots); }
  double mean_warps() const { return ratio(warps, core_cycles); }
  double mean_holding() const { return ratio(holding, core_cycles); }
  double mean_available() const { return ratio(available, core_cycles); }

  template <class Visitor>
  void visit(Visitor&& v) {
    v.largest("lanes", lanes, "lanes", "of a core");
    v.largest("width", width, "threads", "that a lane executes side by side");
    v.count("threads", threads, "thread instructions",
            "that lanes executed: without lanes whose guard is false, but all of a branch");
    v.count("thread_slots", thread_slots, "thread instructions",
            "for which there was a place in the cycles that these took: `width` for each aligned group with such a "
            "thread, at least one group an instruction; of lanes side by side that compress cycles, what their units "
            "are wide for each step, and the warp size for loads and stores");
    v.rate("effective_simd_efficiency", effective_simd_efficiency(), "0 … 1",
           "`threads` / `thread_slots`: what is left of divergence after compaction (STSIMT Figure 4 shows "
           "`simd_efficiency` of `simt` lanes)");
    v.count("core_cycles", core_cycles, "core cycles", "in which a warp had a place");
    v.count("warp_cycles", warps, "warp-cycles",
            "of warps with a place: a warp that has ended keeps it until its last store is acknowledged");
    v.count("holding_cycles", holding, "lane-cycles", "in which a lane held a warp with a place");
    v.count("available_cycles", available, "lane-cycles",
            "in which it held one that could go on: live, and waiting neither for memory nor at a barrier");
    v.rate("mean_warps", mean_warps(), "warps", "`warp_cycles` / `core_cycles` (STSIMT Table IV, average warps)");
    v.rate("mean_holding", mean_holding(), "lanes",
           "`holding_cycles` / `core_cycles` (STSIMT Table IV, lanes active, static)");
    v.rate("mean_available", mean_available(), "lanes",
           "`available_cycles` / `core_cycles` (Table IV, lanes active, dynamic)");
    v.group("issue_conflicts", NamedCounts<3>{conflicts, kIssueConflictKeys, "core cycles"},
            "in which so many lanes could take an instruction that was ready, and the scheduler issued that of another "
            "lane (Table IV)");
    v.group("timeline", timeline, "how busy each lane of a core was, over time (STSIMT Figure 6)");
  }
};

}  // namespace warpfork::report
