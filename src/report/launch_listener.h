// What a timed launch makes known while it runs; statistics, timelines and reports are listeners.
#pragma once

#include <cstdint>
#include <span>

#include "base/active_mask.h"
#include "base/types.h"
#include "report/stall_cause.h"
#include "report/thread_state.h"

namespace warpfork::report {

/// A warp had these splits for so many cycles.
struct SplitEvent {
  /// Of each split, those that may issue first, in the mechanism's order; then those that wait at a barrier.
  std::span<const std::uint8_t> threads;
  unsigned live = 0;            // threads of the warp that had not exited
  unsigned without_buffer = 0;  // splits that could issue, had they an instruction buffer entry
  Cycle cycles = 0;
};

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
  /// On a divergent path: the lanes' threads are not all those of one warp that had not exited. The others of their
  /// warp have gone another way and not met them again; regrouping may have put threads of other warps beside them.
  bool divergent = false;
  /// In a temporal lane: threads that it executes, and places for threads in the cycles that this takes; else 0.
  unsigned lane_threads = 0, lane_slots = 0;
};

/// What a core's temporal lanes did in so many cycles.
struct LaneCycles {
  unsigned lanes = 0, width = 0;
  unsigned holding = 0;    // lanes with a live warp
  unsigned available = 0;  // lanes with a warp that waits neither for memory nor at a barrier
  unsigned conflicts = 0;  // lanes that could have taken an instruction of theirs, had the scheduler not had another
  Cycle cycles = 0;
};

/// Warps that have waited for each other at a branch go on, a warp that diverged and did not wait, or what such warps
/// have missed (see Compaction).
struct CompactionEvent {
  Pc branch = 0;
  unsigned waited = 0;             // warps that met
  bool parted = false;             // threads went different ways
  unsigned before = 0, after = 0;  // warps, summed over the sides that have to run
  Cycle waited_cycles = 0;         // summed over these warps
  unsigned bypassed = 0;           // warps that did not wait, judged now
};

class LaunchListener {
 public:
  virtual ~LaunchListener() = default;
  virtual void issued(const IssueEvent&) {}
  virtual void compacted(const CompactionEvent&) {}
  /// A scheduler of a core with live warps issued nothing for this many cycles.
  virtual void stalled(StallCause, Cycle) {}
  /// A core held this many live warps for this many cycles; `idle`: it issued nothing in any of them.
  virtual void occupied(unsigned live_warps, Cycle cycles, bool idle) { (void)live_warps, (void)cycles, (void)idle; }
  /// The launch has ended: how long threads of one core's blocks were in which state, as its schedulers saw them.
  virtual void threads(const ThreadCycles&) {}
  virtual void split(const SplitEvent&) {}
  virtual void lanes(const LaneCycles&) {}
  /// Threads entered a temporal lane of a core for which hears_lanes() holds.
  virtual void lane_entered(unsigned core, unsigned lane, unsigned threads, Cycle now) {
    (void)core, (void)lane, (void)threads, (void)now;
  }
  virtual bool hears_lanes(unsigned core) const { return (void)core, false; }
  /// An entry of a reconvergence table went to memory or was asked back from there.
  virtual void table_moved(bool to_memory, unsigned bytes) { (void)to_memory, (void)bytes; }
  /// The launch has ended: the largest use that warps made of their tables in one of a core's block slots.
  virtual void tables_used(unsigned splits, unsigned reconvergence) { (void)splits, (void)reconvergence; }
  /// A block came to the warp slots from `first` on: what was known of their former warps is past.
  virtual void block_started(unsigned core, unsigned first, unsigned warps) { (void)core, (void)first, (void)warps; }
};

}  // namespace warpfork::report
