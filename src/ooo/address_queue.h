// The addresses that the instructions in flight of one warp access.
#pragma once

#include <cstdint>

#include "ooo/numbered_queue.h"
#include "ooo/paths/lane_mask.h"

namespace warpfork::ooo {

/// Words, numbered: each access is the mask of its lanes, then an address for each, lowest lane first.
class AddressQueue : public NumberedQueue<std::uint64_t> {
 public:
  AddressQueue() : NumberedQueue(1024) {}
  /// Where the access behind the one at `position` begins.
  std::uint64_t behind(std::uint64_t position) const { return position + 1 + lane_count((*this)[position]); }
};

}  // namespace warpfork::ooo
