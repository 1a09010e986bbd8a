// The addresses that the instructions in flight of one warp access.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ooo/numbered_queue.h"
#include "ooo/paths/lane_mask.h"
#include "x86/instruction_stream.h"

namespace warpfork::ooo {

/// What the lanes of a path execute together.
using ExecutedByLane = std::array<const x86::DynamicInstruction*, kMaxLanes>;

/// Words, numbered: each access is the mask of its lanes, then an address for each, lowest lane first.
class AddressQueue : public NumberedQueue<std::uint64_t> {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};  ///< no position

  AddressQueue() : NumberedQueue(1024) {}
  /// The accesses of one instruction, which has some. Returns how often its µops run: more than once for one that
  /// repeats, whose iterations come together as many as fit into one access of kRepeatBytes.
  std::uint32_t append(const x86::StaticInstruction& instruction, LaneMask lanes, const ExecutedByLane& executed);
  /// Where the access begins that is so many behind the one at `position`.
  std::uint64_t behind(std::uint64_t position, std::size_t accesses = 1) const {
    for (; accesses != 0; --accesses) position += 1 + lane_count((*this)[position]);
    return position;
  }

 private:
  std::uint32_t append_repeated(const x86::StaticInstruction& instruction, LaneMask lanes,
                                const ExecutedByLane& executed);
};

}  // namespace warpfork::ooo
