// What the temporal lanes of a core share.
#pragma once

#include <bit>
#include <cstdint>

#include "gpu/shared_memory_ports.h"
#include "gpu/special_function_units.h"
#include "gpu/stage_register.h"

namespace warpfork::gpu {

/// In each cycle the lanes take turns, from lane `first` on.
struct SharedUnits {
  SharedMemoryPorts banks;
  SpecialFunctionUnits special;
  StageRegister memory;  // between address generation and the load/store unit
  unsigned lanes = 1, first = 0;
  bool refused = false;         // a thread that came to the banks or to the special-function units
  std::uint64_t displaced = 0;  // lanes whose streams must end, as another lane comes first

  bool precedes(unsigned lane, unsigned other) const {
    return (lane + lanes - first) % lanes < (other + lanes - first) % lanes;
  }
  /// Whether shared memory gives the lane the word in this cycle. A bank of which another lane's stream wants another
  /// one is that lane's if its turn is first.
  bool serve_word(unsigned lane, std::uint64_t address, Cycle now) {
    const std::uint64_t others = banks.lanes_in_the_way(address, now);
    for (std::uint64_t rest = others; rest != 0; rest &= rest - 1)
      if (precedes(static_cast<unsigned>(std::countr_zero(rest)), lane)) return false;
    displaced |= others;
    return banks.serve(address, now);
  }
};

}  // namespace warpfork::gpu
