// The addresses that the instructions in flight of one warp access.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ooo/numbered_queue.h"
#include "ooo/paths/lane_mask.h"

namespace warpfork::ooo {

/// Words, numbered: each access is the mask of its lanes, then an address for each, lowest lane first.
class AddressQueue : public NumberedQueue<std::uint64_t> {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};  ///< no position

  AddressQueue() : NumberedQueue(1024) {}
  /// Where the access begins that is so many behind the one at `position`.
  std::uint64_t behind(std::uint64_t position, std::size_t accesses = 1) const {
    for (; accesses != 0; --accesses) position += 1 + lane_count((*this)[position]);
    return position;
  }
};

}  // namespace warpfork::ooo
