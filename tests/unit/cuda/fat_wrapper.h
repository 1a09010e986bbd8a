// What a compiled program hands to the runtime to register its device code.
#pragma once

#include <cstdint>

namespace warpfork::cuda {

/// Points to a fat binary.
struct FatWrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* image = nullptr;
  const void* other = nullptr;
};

}  // namespace warpfork::cuda
