// The recorded threads that the lanes of one warp replay (SIMT-X 4): how far each has come, and at which event it
// waits.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "base/error.h"
#include "ooo/address_queue.h"
#include "ooo/synchronisation.h"
#include "ooo/thread_window.h"

namespace warpfork::ooo {

/// Each lane is at its next instruction to fetch, some way ahead of the next to commit; a misprediction takes it back.
/// Code is replayed, but synchronisation is executed: a thread asks whether it may pass the events before an
/// instruction once all before them has committed.
class WarpReplay {
 public:
  using Recorded = ThreadWindow::Recorded;

  /// `threads`: those of the lanes; the first is lane `first_lane` of the core.
  WarpReplay(std::span<ThreadWindow> threads, unsigned first_lane, Synchronisation& synchronisation);

  unsigned lanes() const { return static_cast<unsigned>(threads_.size()); }
  /// Lanes whose thread has not committed its last instruction.
  LaneMask running() const { return running_; }
  /// Lanes in which new threads are to begin, in the place of others that have ended.
  LaneMask arriving() const { return synchronisation_.arriving(first_lane_, lanes()); }
  /// They do; nothing of the warp is in flight.
  void begin(LaneMask lanes);

  /// The lane's next instruction to fetch; nullptr behind its last. Valid until the next call for a later one.
  const Recorded* next(unsigned lane) const { return threads_[lane].at(next_[lane]); }
  /// Of all these lanes, of which none has ended. True if events come first that have not been passed.
  bool next(LaneMask lanes, ExecutedByLane& instructions) const;
  /// Of these lanes those that have no event before their next instruction any more.
  LaneMask pass_events(LaneMask lanes);
  /// Events passed so far: other threads may wait for that.
  std::uint64_t events() const { return events_; }
  void fetch(LaneMask lanes) {
    for_each_lane(lanes, [this](unsigned lane) { ++next_[lane]; });
  }
  /// Takes the latest one back.
  void undo_fetch(LaneMask lanes) {
    for_each_lane(lanes, [this](unsigned lane) { --next_[lane]; });
  }
  /// The latest instruction that the lane fetched, and where the lane went from there; 0 after its last.
  const Recorded& latest(unsigned lane) const { return *threads_[lane].at(next_[lane] - 1); }
  std::uint64_t target(unsigned lane) const { return latest(lane).next_pc; }

  /// The lane's next instruction to commit.
  const Recorded& oldest(unsigned lane) const { return *threads_[lane].at(committed_[lane]); }
  /// It must be this instruction in each of the lanes.
  void commit(LaneMask lanes, const x86::StaticInstruction& instruction);
  /// They have committed their last.
  void end(LaneMask lanes);

  /// "thread 2: 17 instructions done, next at 1004", a line for each that runs, by its number in the recording.
  std::string describe() const;

 private:
  std::span<ThreadWindow> threads_;
  unsigned first_lane_;
  Synchronisation& synchronisation_;
  std::array<std::uint64_t, kMaxLanes> next_{};           // to fetch
  std::array<std::uint64_t, kMaxLanes> committed_{};      // so many
  std::array<std::uint64_t, kMaxLanes> passed_{};         // events before this instruction have been passed
  std::array<std::uint32_t, kMaxLanes> events_passed_{};  // of those before the next instruction
  LaneMask running_ = 0;
  std::uint64_t events_ = 0;
};

inline bool WarpReplay::next(LaneMask lanes, ExecutedByLane& instructions) const {
  bool eventful = false;
  for_each_lane(lanes, [&](unsigned lane) {
    instructions[lane] = next(lane);
    check(instructions[lane] != nullptr, [&] { return fmt::format("lane {} has ended:\n{}", lane, describe()); });
    eventful |= !instructions[lane]->events.empty() && passed_[lane] <= next_[lane];
  });
  return eventful;
}

inline void WarpReplay::commit(LaneMask lanes, const x86::StaticInstruction& instruction) {
  for_each_lane(lanes, [&](unsigned lane) {
    check(oldest(lane).instruction == &instruction, [&] {
      return fmt::format("lane {} commits {:x} out of its recorded order:\n{}", lane, instruction.pc, describe());
    });
    threads_[lane].retire(++committed_[lane]);
  });
}

}  // namespace warpfork::ooo
