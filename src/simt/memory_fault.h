// What the load/store unit does when an access is not where the fast path expects it: looks for the allocation, or
// fails.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "simt/address_map.h"
#include "simt/launch.h"
#include "simt/program.h"

namespace warpfork::simt {

/// An access that memory refuses. CUDA tells its program which of the two it was.
class MemoryFault final : public Error {
 public:
  enum class Kind : std::uint8_t { OutOfBounds, Misaligned };
  MemoryFault(Kind kind, const std::string& message) : Error(message), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

/// "shared", "local", "const", "parameter", "generic", else "global".
std::string_view name_of(MemorySpace space);

/// Puts the device allocation that holds [address, address + bytes) into the place of the instruction that accesses
/// memory now (KnownAllocations); false if there is none.
bool find_allocation(WarpContext& warp, std::uint64_t address, std::uint64_t bytes);

/// Throws the MemoryFault of a lane's access outside of its memory. `address` is as in warp.access.
[[noreturn]] void fail_out_of_bounds(const Instruction& instruction, const WarpContext& warp, unsigned lane,
                                     std::uint64_t address);

/// Throws the MemoryFault of the first lane whose address in warp.access is not aligned.
[[noreturn]] void fail_misaligned(const Instruction& instruction, const WarpContext& warp, RowLanes lanes);

}  // namespace warpfork::simt
