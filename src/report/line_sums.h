// What the instructions of one source line cost together, over a kernel's launches.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/launch_record.h"

namespace warpfork::report {

struct LineSum {
  LineCount count;  // its `ptx_line` is the first one
  unsigned last_ptx_line = 0;

  /// Scheduler cycles: with an issue, and without one.
  std::uint64_t stalled() const;
  std::uint64_t cycles() const { return count.issues + stalled(); }
  /// "kernel.cu:17", or "PTX line 60" where only that is known.
  std::string place() const;
};

/// By CUDA line, else by PTX line, in that order; `by_kind`: loads, stores, … of a line each by themselves.
std::vector<LineSum> sum_lines(std::span<const LaunchRecord> launches, bool by_kind = false);

}  // namespace warpfork::report
