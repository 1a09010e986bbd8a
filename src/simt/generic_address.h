// Generic addresses as one thread sees them (PTX ISA, "Generic Addressing"), for what is too rare to be done warp-wide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "simt/launch.h"

namespace warpfork::simt {

/// The address of a lane of a memory instruction, as the load/store unit computes it (simt/lanes/address.h). `bases`:
/// the row of its bases; of a literal address nobody looks there.
std::uint64_t address_of(const Instruction& instruction, const std::byte* bases, unsigned lane);

/// What memory a generic address lies in, and where there; device memory has its generic addresses.
struct GenericPlace {
  MemorySpace space;
  std::uint64_t address;
};
GenericPlace place_of(std::uint64_t generic);

/// The host address of [address, address + bytes) for a lane of the warp; null unless it lies in one piece in a device
/// allocation, in the block's shared memory, in the thread's local memory, or in the kernel's parameters.
const std::byte* find_generic(WarpContext& warp, unsigned lane, std::uint64_t address, std::uint64_t bytes);

/// Writes bytes there, as a store of the lane does. False if they do not lie in one piece of memory that can be
/// written.
bool store_generic(WarpContext& warp, unsigned lane, std::uint64_t address, const void* from, std::uint64_t bytes);

/// The characters from a generic address up to a zero byte; nothing if no zero byte comes before the end of that
/// memory.
std::optional<std::string> text_at(WarpContext& warp, unsigned lane, std::uint64_t address);

}  // namespace warpfork::simt
