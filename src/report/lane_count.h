// What temporal lanes did in a launch (docs/result-schema.md, "lanes"; STSIMT Table IV and Figure 4).
#pragma once

#include <array>
#include <cstdint>

#include "report/launch_listener.h"
#include "report/result_document.h"

namespace warpfork::report {

struct LaneCount {
  unsigned lanes = 0, width = 0;
  std::uint64_t threads = 0, thread_slots = 0;
  Cycle core_cycles = 0, holding = 0, available = 0;  // the latter two in lane-cycles
  std::array<Cycle, 3> conflicts{};                   // core cycles in which 1, 2, more lanes' instructions waited

  void add(const LaneCycles& cycles);
  void add(const IssueEvent& event) {
    threads += event.lane_threads;
    thread_slots += event.lane_slots;
  }
};

Json to_json(const LaneCount& count);
/// Adds what to_json() wrote.
void add(LaneCount& sum, const Json& count);

}  // namespace warpfork::report
