// Where each state space lies in the generic address space (PTX ISA, "Generic Addressing"; the places are our choice).
#pragma once

#include <cstdint>

#include "simt/device_memory.h"

namespace warpfork::simt {

// All windows lie below 4 GiB so that modules with 32-bit addresses work. An address within a space (what `mov`
// gives for a variable) counts from the start of its window; global and const addresses are device addresses.
inline constexpr std::uint64_t kSharedWindow = 0x80000000;
inline constexpr std::uint64_t kLocalWindow = 0x90000000;
inline constexpr std::uint64_t kParamWindow = 0xB0000000;
inline constexpr std::uint64_t kSharedWindowEnd = kLocalWindow;
inline constexpr std::uint64_t kLocalWindowEnd = kParamWindow;
inline constexpr std::uint64_t kParamWindowEnd = DeviceMemory::kBase;

}  // namespace warpfork::simt
