// Instruction buffer entries, one per split that may issue (MULTIPATH section 3.3.1, Figure 7), and what each waits
// for.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "gpu/in_flight.h"
#include "gpu/timed_count.h"
#include "gpu/warp_slots.h"

namespace warpfork::gpu {

/// Instruction buffer entries of a core, bit i = entry i: as many as it has warp slots.
using EntrySet = BitSet<struct EntriesTag, WarpSlots::kCapacity>;

/// What an entry's split needs in order to issue; the later one is, the nearer is it to issuing.
enum class EntryState : std::uint8_t {
  Free,             // belongs to no split
  Suspended,        // waits at a barrier or a memory barrier
  Forming,          // its warp comes out of the compaction unit later
  BlockedMemory,    // a source or destination is being written by a load, or the warp waits for an atomic
  TableMiss,        // an entry of the warp's reconvergence table is on its way from memory
  Empty,            // no decoded instruction
  Redirected,       // holds instructions of another path: to be flushed
  BlockedRegister,  // a source or destination is being written by an arithmetic instruction
  ScoreboardFull,   // no entry is left for a destination
  ReadySp,          // only its unit's entry may still be missing
  ReadySfu,
  ReadyMemory
};
inline constexpr unsigned kEntryStates = static_cast<unsigned>(EntryState::ReadyMemory) + 1;
/// Bit s = state s.
using EntryStates = BitSet<struct EntryStatesTag, 32>;
/// By port.
inline constexpr EntryState kReadyStates[kPorts] = {EntryState::ReadySp, EntryState::ReadySfu, EntryState::ReadyMemory};
inline constexpr EntryStates kReady{0b111u << static_cast<unsigned>(EntryState::ReadySp)};

struct alignas(32) InstructionBufferEntry {  // a shift, not a product, finds one
  SplitId split = 0;
  unsigned warp = 0;      // slot in the core
  Pc buffer_pc = 0;       // of the first decoded instruction
  unsigned buffered = 0;  // decoded instructions, at consecutive PCs
  Pc fetch_pc = 0;        // of the next fetch
  EntryState state = EntryState::Free;
  std::uint8_t scheduler = 0;  // of the warp
  unsigned threads = 0;        // of the split, that want to issue
};

class InstructionBuffers {
 public:
  /// Of warps whose slots are dealt out to so many schedulers.
  explicit InstructionBuffers(unsigned entries, unsigned schedulers = 1)
      : entries_(entries), all_(EntrySet::first(entries)), schedulers_(schedulers) {
    states_[0].entries = all_;
    schedulers_[0].count[0] = static_cast<std::uint8_t>(entries);
  }

  InstructionBufferEntry& operator[](unsigned entry) { return entries_[entry]; }
  const InstructionBufferEntry& operator[](unsigned entry) const { return entries_[entry]; }
  EntrySet all() const { return all_; }
  /// All entries in a state.
  EntrySet in(EntryState state) const { return states_[static_cast<unsigned>(state)].entries; }

  /// States in which any entry of the scheduler's warps is, but for Free.
  EntryStates states(unsigned scheduler) const { return schedulers_[scheduler].states - EntryStates::single(0); }

  /// The free entry is this split's from now on, of the warp in this slot, with nothing decoded.
  void bind(unsigned entry, SplitId split, unsigned warp, Pc pc) {
    const auto scheduler = static_cast<std::uint8_t>(warp % schedulers_.size());
    --schedulers_[entries_[entry].scheduler].count[0];
    ++schedulers_[scheduler].count[0];
    entries_[entry] = {split, warp, 0, 0, pc, EntryState::Free, scheduler, 0};
    if (warp == entry)
      elsewhere_.erase(entry);
    else
      elsewhere_.insert(entry);
  }
  /// Of these entries, which belong to splits, those of these warps.
  EntrySet of_warps(EntrySet among, WarpSlots warps) const {
    EntrySet found = (among - elsewhere_) & std::bit_cast<EntrySet>(warps);
    (among & elsewhere_).for_each([&](unsigned entry) {
      if (warps.contains(entries_[entry].warp)) found.insert(entry);
    });
    return found;
  }
  /// The warps of these entries, which belong to splits.
  WarpSlots warps_of(EntrySet entries) const {
    WarpSlots warps = std::bit_cast<WarpSlots>(entries - elsewhere_);
    (entries & elsewhere_).for_each([&](unsigned entry) { warps.insert(entries_[entry].warp); });
    return warps;
  }

  /// How many threads the entries in a state issue for; splits that wait at a barrier have none.
  const TimedCount& threads(EntryState state) const { return states_[static_cast<unsigned>(state)].threads; }
  /// What set_state() says of threads holds from this cycle on.
  void set_clock(Cycle now) { clock_ = now; }
  Cycle clock() const { return clock_; }
  /// Entries of splits that wait neither for memory nor at a barrier.
  EntrySet able_to_go_on() const {
    const EntrySet held_back =
        in(EntryState::Free) | in(EntryState::Suspended) | in(EntryState::BlockedMemory) | in(EntryState::TableMiss);
    return all_ - held_back;
  }
  void set_state(unsigned entry, EntryState state, unsigned threads) {
    InstructionBufferEntry& changed = entries_[entry];
    if (changed.state == state && changed.threads == threads) return;
    const unsigned from = static_cast<unsigned>(changed.state), to = static_cast<unsigned>(state);
    states_[from].leave(entry, changed.threads, clock_);
    states_[to].come(entry, threads, clock_);
    Scheduler& scheduler = schedulers_[changed.scheduler];
    if (--scheduler.count[from] == 0) scheduler.states.erase(from);
    ++scheduler.count[to];
    scheduler.states.insert(to);
    changed.state = state;
    changed.threads = threads;
  }

 private:
  /// The entries in a state, and for how many threads they issue.
  struct State {
    EntrySet entries;
    TimedCount threads;

    void come(unsigned entry, unsigned more, Cycle now) {
      entries.insert(entry);
      threads.add(more, now);
    }
    void leave(unsigned entry, unsigned fewer, Cycle now) {
      entries.erase(entry);
      threads.remove(fewer, now);
    }
  };
  /// How many entries of its warps are in a state, and in which there are any.
  struct Scheduler {
    std::array<std::uint8_t, kEntryStates> count{};
    EntryStates states;
  };

  std::vector<InstructionBufferEntry> entries_;
  EntrySet all_;
  EntrySet elsewhere_;  // entries of warps in slots of another number, which are few
  std::array<State, kEntryStates> states_{};
  std::vector<Scheduler> schedulers_;
  Cycle clock_ = 0;
};

}  // namespace warpfork::gpu
