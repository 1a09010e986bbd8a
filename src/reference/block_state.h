// What the threads of a block have in common (PTX ISA, "Thread Hierarchy").
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "reference/placement.h"

namespace warpfork::reference {

struct BlockState {
  const Placement& placement;
  Dim3 grid, block, index;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> shared;
};

/// Where a thread of that number stands in a block of that extent.
constexpr Dim3 position_in(std::uint64_t number, const Dim3& extent) {
  return {static_cast<std::uint32_t>(number % extent.x), static_cast<std::uint32_t>(number / extent.x % extent.y),
          static_cast<std::uint32_t>(number / extent.x / extent.y)};
}

}  // namespace warpfork::reference
