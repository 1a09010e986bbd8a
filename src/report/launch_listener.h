// What a timed launch makes known while it runs; statistics, timelines and reports are listeners.
#pragma once

#include <cstdint>

#include "base/active_mask.h"
#include "base/types.h"

namespace warpfork::report {

/// Why a scheduler issued nothing in a cycle (docs/result-schema.md, "stalls").
enum class StallCause : std::uint8_t { Pipeline, Memory, Scoreboard, Barrier, Fetch, NoWarp };
inline constexpr unsigned kStallCauses = 6;

/// One issued warp instruction.
struct IssueEvent {
  unsigned core = 0;
  unsigned warp = 0;  // slot in the core
  Pc pc = 0;
  ActiveMask active;    // lanes of the split
  ActiveMask executed;  // of these, those whose guard was true
  ActiveMask live;      // lanes of the warp that had not exited before this instruction
  bool conditional_branch = false;
  unsigned places = 1;  // number of places at which the lanes go on
};

class LaunchListener {
 public:
  virtual ~LaunchListener() = default;
  virtual void issued(const IssueEvent&) {}
  /// A scheduler of a core with live warps issued nothing for this many cycles.
  virtual void stalled(StallCause, Cycle) {}
  /// A core held this many live warps for this many cycles; `idle`: it issued nothing in any of them.
  virtual void occupied(unsigned live_warps, Cycle cycles, bool idle) { (void)live_warps, (void)cycles, (void)idle; }
  /// A block came to the warp slots from `first` on: what was known of their former warps is past.
  virtual void block_started(unsigned core, unsigned first, unsigned warps) { (void)core, (void)first, (void)warps; }
};

}  // namespace warpfork::report
