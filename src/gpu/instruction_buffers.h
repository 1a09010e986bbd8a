// Instruction buffer entries, one per split that may issue (MULTIPATH section 3.3.1, Figure 7), and what each waits
// for.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "divergence/warp_split.h"
#include "gpu/entry_state.h"
#include "gpu/timed_count.h"
#include "gpu/warp_slots.h"

namespace warpfork::gpu {

/// Instruction buffer entries of a core, bit i = entry i: as many as it has warp slots.
using EntrySet = BitSet<struct EntriesTag, WarpSlots::kCapacity>;

struct alignas(32) InstructionBufferEntry {  // a shift, not a product, finds one
  const WarpSplit* split = nullptr;          // its block's domain holds it as long as it is the entry's
  Pc buffer_pc = 0;                          // of the first decoded instruction
  unsigned buffered = 0;                     // decoded instructions, at consecutive PCs
  Pc fetch_pc = 0;                           // of the next fetch
  unsigned threads = 0;                      // of the split, that want to issue
  std::uint8_t warp = 0;                     // slot in the core
  std::uint8_t scheduler = 0;                // of the warp
  EntryState state = EntryState::Free;
  bool waits = false;  // its split waits at a barrier
};

class InstructionBuffers {
 public:
  /// Of warps whose slots are dealt out to so many schedulers.
  explicit InstructionBuffers(unsigned entries, unsigned schedulers = 1)
      : entries_(entries), all_(EntrySet::first(entries)), schedulers_(schedulers) {
    states_[0].entries = all_;
    schedulers_[0].add(EntryState::Free, static_cast<int>(entries));
  }

  InstructionBufferEntry& operator[](unsigned entry) { return entries_[entry]; }
  const InstructionBufferEntry& operator[](unsigned entry) const { return entries_[entry]; }
  EntrySet all() const { return all_; }
  /// All entries in a state.
  EntrySet in(EntryState state) const { return states_[static_cast<unsigned>(state)].entries; }

  /// Those of the scheduler's warps; free ones are nobody's.
  const StateCounts& of_scheduler(unsigned scheduler) const { return schedulers_[scheduler]; }

  /// The free entry is this split's from now on, of the warp in this slot, with nothing decoded.
  void bind(unsigned entry, const WarpSplit& split, unsigned warp) {
    InstructionBufferEntry& bound = entries_[entry];
    const auto scheduler = static_cast<std::uint8_t>(warp % schedulers_.size());
    schedulers_[bound.scheduler].add(EntryState::Free, -1);
    schedulers_[scheduler].add(EntryState::Free, 1);
    bound = {.split = &split, .fetch_pc = split.pc, .warp = static_cast<std::uint8_t>(warp), .scheduler = scheduler};
    if (warp == entry)
      elsewhere_.erase(entry);
    else
      elsewhere_.insert(entry);
  }
  /// Whether an entry may belong to a warp in a slot of another number.
  bool any_elsewhere() const { return elsewhere_.any(); }
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
    if (elsewhere_.none()) return std::bit_cast<WarpSlots>(entries);
    WarpSlots warps = std::bit_cast<WarpSlots>(entries - elsewhere_);
    (entries & elsewhere_).for_each([&](unsigned entry) { warps.insert(entries_[entry].warp); });
    return warps;
  }

  /// How many threads the entries in a state issue for; splits that wait at a barrier have none.
  const TimedCount& threads(EntryState state) const { return states_[static_cast<unsigned>(state)].threads; }
  /// What set_state() and set_threads() say holds from this cycle on.
  void set_clock(Cycle now) { clock_ = now; }
  Cycle clock() const { return clock_; }
  /// Another number whenever those able_to_go_on() are others.
  std::uint64_t changes() const { return changes_; }
  /// Entries of splits that wait neither for memory nor at a barrier.
  EntrySet able_to_go_on() const {
    EntrySet able = all_;
    for (unsigned state = 0; state < kEntryStates; ++state)
      if (kHeldBack[state] != 0) able -= states_[state].entries;
    return able;
  }
  /// The entry's split waits for this from now on: often for the same as before, which costs less than to ask.
  void set_state(unsigned entry, EntryState state) {
    InstructionBufferEntry& changed = entries_[entry];
    const unsigned threads = changed.threads;
    const Cycle now = clock_;
    changes_ += kHeldBack[static_cast<unsigned>(changed.state)] ^ kHeldBack[static_cast<unsigned>(state)];
    states_[static_cast<unsigned>(changed.state)].leave(entry, threads, now);
    states_[static_cast<unsigned>(state)].come(entry, threads, now);
    schedulers_[changed.scheduler].move(changed.state, state);
    changed.state = state;
  }
  /// From now on so many threads of its split want to issue.
  void set_threads(unsigned entry, unsigned threads) {
    InstructionBufferEntry& changed = entries_[entry];
    TimedCount& count = states_[static_cast<unsigned>(changed.state)].threads;
    count.remove(changed.threads, clock_);
    count.add(threads, clock_);
    changed.threads = threads;
  }

 private:
  /// 1 for states of entries that are nobody's or whose splits wait for memory or at a barrier.
  static constexpr std::array<std::uint8_t, kEntryStates> kHeldBack = [] {
    std::array<std::uint8_t, kEntryStates> held_back{};
    for (const EntryState state :
         {EntryState::Free, EntryState::Suspended, EntryState::BlockedMemory, EntryState::TableMiss})
      held_back[static_cast<unsigned>(state)] = 1;
    return held_back;
  }();

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
  std::vector<InstructionBufferEntry> entries_;
  EntrySet all_;
  EntrySet elsewhere_;  // entries of warps in slots of another number, which are few
  std::array<State, kEntryStates> states_{};
  std::vector<StateCounts> schedulers_;
  Cycle clock_ = 0;
  std::uint64_t changes_ = 1;
};

}  // namespace warpfork::gpu
