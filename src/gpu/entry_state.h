// What the split of an instruction buffer entry waits for, and how many entries wait for what.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "gpu/in_flight.h"

namespace warpfork::gpu {

/// What an entry's split needs in order to issue; the later one is, the nearer is it to issuing.
enum class EntryState : std::uint8_t {
  Free,             // belongs to no split
  Suspended,        // waits at a barrier or a memory barrier
  Forming,          // its warp comes out of the compaction unit later
  BlockedMemory,    // a source or destination is being written by a load, or the warp waits for an atomic
  TableMiss,        // an entry of the warp's reconvergence table is on its way from memory
  Empty,            // no decoded instruction
  Redirected,       // holds instructions of another path: to be flushed
  BlockedRead,      // a destination is still to be read by an earlier instruction
  BlockedRegister,  // a source or destination is being written by an arithmetic instruction
  ScoreboardFull,   // no entry is left for a destination
  ReadySp,          // only its unit's entry may still be missing
  ReadySfu,
  ReadyMemory
};
inline constexpr unsigned kEntryStates = static_cast<unsigned>(EntryState::ReadyMemory) + 1;
/// By port.
inline constexpr EntryState kReadyStates[kPorts] = {EntryState::ReadySp, EntryState::ReadySfu, EntryState::ReadyMemory};

/// How many entries are in each state, up to 255: a byte for each, so that a few operations answer for all.
class StateCounts {
 public:
  void add(EntryState state, int entries) {
    counts_[static_cast<unsigned>(state)] += static_cast<std::uint8_t>(entries);
  }
  void move(EntryState from, EntryState to) {
    --counts_[static_cast<unsigned>(from)];
    ++counts_[static_cast<unsigned>(to)];
  }
  bool any(EntryState state) const { return counts_[static_cast<unsigned>(state)] != 0; }
  bool any_ready() const {
    constexpr unsigned kFirst = static_cast<unsigned>(EntryState::ReadySp) % 8;
    static_assert(kEntryStates == kFirst + 8 + kPorts);  // these are the last, and in one word
    return words()[1] >> kFirst * 8 != 0;
  }
  /// The last state in which an entry is; Free if there is none.
  EntryState last() const {
    const auto [early, late] = words();
    return static_cast<EntryState>(late != 0 ? 8 + last_byte(late) : last_byte(early | 1));
  }

 private:
  using Words = std::array<std::uint64_t, 2>;
  static_assert(std::endian::native == std::endian::little);  // the first state's byte is the lowest
  static unsigned last_byte(std::uint64_t word) { return (63 - static_cast<unsigned>(std::countl_zero(word))) / 8; }
  Words words() const { return std::bit_cast<Words>(counts_); }

  std::array<std::uint8_t, sizeof(Words)> counts_{};
};

}  // namespace warpfork::gpu
