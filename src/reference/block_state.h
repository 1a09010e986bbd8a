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

}  // namespace warpfork::reference
