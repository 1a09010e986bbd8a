// Which threads of a warp go through a temporal lane side by side.
#pragma once

#include <cstdint>

#include "base/active_mask.h"

namespace warpfork::gpu {

/// Those of group `number`, of so many neighbouring threads each.
inline ActiveMask group_threads(unsigned number, unsigned width) {
  const std::uint64_t first_group = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  return ActiveMask(first_group << number * width);
}

}  // namespace warpfork::gpu
