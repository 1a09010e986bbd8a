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

namespace warpfork::gpu {

/// A set of instruction buffer entries, bit i = entry i.
using EntrySet = std::uint64_t;

inline unsigned lowest_entry(EntrySet set) { return static_cast<unsigned>(std::countr_zero(set)); }

/// What an entry's split needs in order to issue.
enum class EntryState : std::uint8_t {
  Free,             // belongs to no split
  Empty,            // no decoded instruction
  Redirected,       // holds instructions of another path: to be flushed
  Suspended,        // waits at a barrier or a memory barrier
  Forming,          // its warp comes out of the compaction unit later
  BlockedRegister,  // a source or destination is being written by an arithmetic instruction
  BlockedMemory,    // …by a load, or the warp waits for an atomic
  ScoreboardFull,   // no entry is left for a destination
  TableMiss,        // an entry of the warp's reconvergence table is on its way from memory
  ReadySp,          // only its unit's entry may still be missing
  ReadySfu,
  ReadyMemory
};
inline constexpr unsigned kEntryStates = static_cast<unsigned>(EntryState::ReadyMemory) + 1;
/// By port.
inline constexpr EntryState kReadyStates[kPorts] = {EntryState::ReadySp, EntryState::ReadySfu, EntryState::ReadyMemory};

struct InstructionBufferEntry {
  SplitId split = 0;
  unsigned warp = 0;      // slot in the core
  Pc buffer_pc = 0;       // of the first decoded instruction
  unsigned buffered = 0;  // decoded instructions, at consecutive PCs
  Pc fetch_pc = 0;        // of the next fetch
  EntryState state = EntryState::Free;
  unsigned threads = 0;  // of the split, that want to issue
};

class InstructionBuffers {
 public:
  explicit InstructionBuffers(unsigned entries)
      : entries_(entries), all_(entries == 64 ? ~EntrySet{0} : (EntrySet{1} << entries) - 1) {
    sets_[0] = all_;
  }

  InstructionBufferEntry& operator[](unsigned entry) { return entries_[entry]; }
  const InstructionBufferEntry& operator[](unsigned entry) const { return entries_[entry]; }
  EntrySet all() const { return all_; }
  /// All entries in a state.
  EntrySet in(EntryState state) const { return sets_[static_cast<unsigned>(state)]; }

  /// How many threads the entries in a state issue for; splits that wait at a barrier have none.
  const TimedCount& threads(EntryState state) const { return threads_[static_cast<unsigned>(state)]; }
  /// What set_state() says of threads holds from this cycle on.
  void set_clock(Cycle now) { clock_ = now; }
  Cycle clock() const { return clock_; }

  void set_state(unsigned entry, EntryState state, unsigned threads) {
    InstructionBufferEntry& changed = entries_[entry];
    if (changed.state == state && changed.threads == threads) return;
    const unsigned from = static_cast<unsigned>(changed.state), to = static_cast<unsigned>(state);
    threads_[from].add(-static_cast<int>(changed.threads), clock_);
    threads_[to].add(static_cast<int>(threads), clock_);
    const EntrySet bit = EntrySet{1} << entry;
    sets_[from] &= ~bit;
    sets_[to] |= bit;
    changed.state = state;
    changed.threads = threads;
  }

 private:
  std::vector<InstructionBufferEntry> entries_;
  EntrySet all_;
  std::array<EntrySet, kEntryStates> sets_{};
  Cycle clock_ = 0;
  std::array<TimedCount, kEntryStates> threads_;
};

}  // namespace warpfork::gpu
