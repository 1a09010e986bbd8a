// Launches with lines, for the tests of what is said of them.
#pragma once

#include <utility>
#include <vector>

#include "report/launch_record.h"

namespace warpfork::report {

/// Of 10 000 core cycles with two schedulers.
inline LaunchRecord launch_with_lines(std::vector<LineCount> lines) {
  LaunchRecord launch;
  launch.name = "kernel";
  launch.timed = true;
  launch.scheduler_cycles = 20000;
  launch.lane_slots = 32000;
  launch.occupancy.core_cycles = 10000;
  launch.lines.instructions = std::move(lines);
  return launch;
}

/// A store of line 9 of t.cu: 100 requests of so many transactions each, where one would do.
inline LineCount scattered_store(unsigned transactions) {
  LineCount line;
  line.ptx_line = 40;
  line.source = {"t.cu", 9};
  line.kind = "store";
  line.ptx = "st.global.f32 [%rd1], %f1;";
  line.issues = line.requests = 100;
  line.transactions = 100 * transactions;
  line.excess_transactions = 100 * (transactions - 1);
  return line;
}

/// A load of line 17: 100 requests with so many rounds each.
inline LineCount conflicting_load(unsigned rounds) {
  LineCount line;
  line.ptx_line = 60;
  line.source = {"t.cu", 17};
  line.kind = "load";
  line.ptx = "@%p1 ld.shared.f32 %f1, [%rd1];";
  line.issues = line.shared_requests = 100;
  line.conflict_rounds = 100 * (rounds - 1);
  return line;
}

inline LineCount waiting(const char* file, unsigned number, StallCause cause, std::uint64_t cycles) {
  LineCount line;
  line.ptx_line = 50;
  line.source = {file, number};
  line.kind = "arithmetic";
  line.ptx = "add.f32 %f1, %f2, %f3;";
  line.issues = 1;
  line.stalls[static_cast<unsigned>(cause)] = cycles;
  return line;
}

}  // namespace warpfork::report
