// What a timed launch makes known while it runs; statistics, timelines, explanations and watches are listeners.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/active_mask.h"
#include "base/types.h"
#include "report/stall_cause.h"
#include "report/thread_state.h"

namespace warpfork::gpu {
class Core;
class InFlightPool;
class ResidentBlock;
class SplitBuffers;
struct InFlight;
struct Step;
}  // namespace warpfork::gpu

namespace warpfork::report {

class LaneTimeline;

/// When and where something happened; of what lasted, when it began.
struct Stamp {
  Cycle cycle = 0;
  unsigned core = 0;
  unsigned unit = 0;  // of the core: warp slot, or scheduler
};

/// A warp had these splits for so many cycles.
struct SplitEvent {
  /// Of each split, those that may issue first, in the mechanism's order; then those that wait at a barrier.
  std::span<const std::uint8_t> threads;
  unsigned live = 0;            // threads of the warp that had not exited
  unsigned without_buffer = 0;  // splits that could issue, had they an instruction buffer entry
  Cycle cycles = 0;
  Stamp at{};  // its warp
};

/// One issued warp instruction.
struct IssueEvent {
  unsigned core = 0;
  unsigned warp = 0;  // slot in the core
  Pc pc = 0;
  ActiveMask active;        // lanes of the split
  ActiveMask executed;      // of these, those whose guard was true
  unsigned places = 1;      // number of places at which the lanes go on
  unsigned lane_slots = 0;  // where lanes compact: places for threads in the cycles that this takes; else 0
  bool scalar = false;      // executed once for the warp
  Cycle cycle = 0;
  /// For those who look into a core: the instruction's effects, and the block as it has left it.
  const gpu::Step* step = nullptr;
  const gpu::ResidentBlock* block = nullptr;
};

/// Instructions that a warp issued one after the other for the same lanes, counted: what they are is not told.
struct IssueRun {
  unsigned core = 0;
  unsigned warp = 0;    // slot in the core
  ActiveMask active{};  // lanes of the split
  ActiveMask live{};    // lanes of the warp that had not exited
  std::uint64_t instructions = 0;
  /// Of these on a divergent path: the lanes' threads are not all those of one warp that had not exited. The others of
  /// their warp have gone another way and not met them again; regrouping may have put threads of other warps beside
  /// them.
  std::uint64_t divergent = 0;
  std::uint64_t scalar = 0;    // of these executed once for the warp
  std::uint64_t executed = 0;  // threads of all of them whose guard was true
  /// In a temporal lane: threads that it executes, and places for threads in the cycles that this takes; else 0.
  std::uint64_t lane_threads = 0, lane_slots = 0;
};

/// One issued conditional branch, after the run that ends with it if its threads part there.
struct BranchEvent {
  unsigned core = 0;
  unsigned warp = 0;  // slot in the core
  Pc pc = 0;
  unsigned places = 1;  // number of places at which the lanes go on
};

/// For those who look into a core, as long as the launch lasts.
struct CoreEvent {
  unsigned core = 0;
  const gpu::SplitBuffers* buffers = nullptr;    // what its schedulers choose from
  const gpu::InFlightPool* in_flight = nullptr;  // what has been issued and is not done
};

/// What a core's schedulers did while it held live warps.
struct SchedulerCycles {
  std::array<Cycle, kStallCauses> stalls{};  // scheduler cycles without an issue, by cause
  Cycle cycles = 0;                          // of the core
  Cycle idle = 0;                            // of these, those in which none issued
  Cycle warps = 0;                           // warp-cycles of live warps
};

/// What a core's temporal lanes did in so many cycles.
struct LaneCycles {
  unsigned lanes = 0, width = 0;
  Cycle cycles = 0;     // in which a warp had a place, which it has until its last store is acknowledged
  Cycle warps = 0;      // warp-cycles with a place
  Cycle holding = 0;    // lane-cycles with such a warp
  Cycle available = 0;  // lane-cycles with a warp that waits neither for memory nor at a barrier
  /// Cycles in which one, two, more lanes could have taken an instruction of theirs, had the scheduler not had another.
  std::array<Cycle, 3> conflicts{};
};

/// Threads of a warp's instruction entered the units of a temporal lane.
struct LaneEvent {
  Stamp at;  // the warp
  unsigned lane = 0;
  ActiveMask threads;
  const gpu::InFlight* instruction = nullptr;  // for those who look into a core
};

/// A block came to the warp slots from at.unit on: what was known of their former warps is past.
struct BlockEvent {
  Stamp at;
  unsigned warps = 0;
  Dim3 index;                                 // of the grid
  const gpu::ResidentBlock* block = nullptr;  // stands for a place: another block may start in it later
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
  Stamp at{};                      // the first of the block's warps
};

/// The one interface for all who want to know of a launch. A core tells one listener; where several hear it, that is a
/// ListenerPair, so that nobody pays for those who are not there.
class LaunchListener {
 public:
  virtual ~LaunchListener() = default;
  /// The launch begins on a core: before it asks what else the listener hears.
  virtual void core_began(const CoreEvent&) {}
  virtual void block_started(const BlockEvent&) {}
  /// Each instruction. Only if observes_issues() holds.
  virtual void issued(const IssueEvent&) {}
  virtual bool observes_issues() const { return false; }
  /// All instructions of a warp, when it has others for other lanes, parts, or ends.
  virtual void ran(const IssueRun&) {}
  virtual void branched(const BranchEvent&) {}
  virtual void compacted(const CompactionEvent&) {}
  /// A core has done what it does in a cycle: it is now as the next one will find it. Not of cycles in which it sleeps
  /// and nothing changes. Only if observes_cycles() holds.
  virtual void cycled(Stamp at, const gpu::Core& core) { (void)at, (void)core; }
  virtual bool observes_cycles() const { return false; }
  /// Since the core began, or this was said last.
  virtual void scheduled(const SchedulerCycles&) {}
  /// A scheduler (at.unit) of a core with live warps issued nothing for so many cycles. Only if observes_stalls()
  /// holds.
  virtual void stalled(Stamp at, StallCause cause, Cycle cycles) { (void)at, (void)cause, (void)cycles; }
  /// A core held this many live warps for so many cycles. Likewise.
  virtual void occupied(Stamp at, unsigned live_warps, Cycle cycles) { (void)at, (void)live_warps, (void)cycles; }
  virtual bool observes_stalls() const { return false; }
  virtual void split(const SplitEvent&) {}
  virtual void lanes(const LaneCycles&) {}
  /// Where threads that enter the core's temporal lanes are counted, at the latest when the launch ends; null: nowhere.
  virtual LaneTimeline* lane_timeline(unsigned core) { return (void)core, nullptr; }
  /// Each group of them, in its cycle. Of a core for which observes_lanes() holds.
  virtual void lane_entered(const LaneEvent&) {}
  virtual bool observes_lanes(unsigned core) const { return (void)core, false; }
  /// A transaction of a load did not find its line in the first cache that it came to. Only if observes_misses() holds.
  virtual void missed(Stamp at, const gpu::InFlight& load) { (void)at, (void)load; }
  virtual bool observes_misses() const { return false; }
  /// An entry of the reconvergence table of a warp (at.unit) went to memory or was asked back from there.
  virtual void table_moved(Stamp at, bool to_memory, unsigned bytes) { (void)at, (void)to_memory, (void)bytes; }
  /// The launch has ended: how long threads of the core's blocks were in which state, as its schedulers saw them.
  virtual void threads(Stamp at, const ThreadCycles& cycles) { (void)at, (void)cycles; }
  /// The launch has ended: the largest use that warps made of their tables in one of the core's block slots, whose
  /// warps are those from at.unit on.
  virtual void tables_used(Stamp at, unsigned splits, unsigned reconvergence) {
    (void)at, (void)splits, (void)reconvergence;
  }
};

}  // namespace warpfork::report
