// The small numbers that every room counts in.
#pragma once

#include <cstdint>
#include <limits>

namespace warpfork {

/// Core clock cycles since the launch of the kernel.
using Cycle = std::uint64_t;
inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

/// Index of an instruction in its kernel's flat code.
using Pc = std::uint32_t;
/// "No such instruction": for a reconvergence point it means that threads meet only by exiting.
inline constexpr Pc kNoPc = std::numeric_limits<Pc>::max();

/// Index of a warp in its thread block.
using WarpId = std::uint32_t;
/// Index of a split in its divergence domain; reused after the split is gone.
using SplitId = std::uint32_t;

/// Extent or position in a grid or block.
struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  /// Of a position in this extent, x fastest.
  constexpr std::uint64_t number_of(const Dim3& at) const { return (std::uint64_t{at.z} * y + at.y) * x + at.x; }
  /// The position with that number, x fastest.
  constexpr Dim3 position_of(std::uint64_t number) const {
    return {static_cast<std::uint32_t>(number % x), static_cast<std::uint32_t>(number / x % y),
            static_cast<std::uint32_t>(number / x / y)};
  }
  constexpr bool operator==(const Dim3&) const = default;
};

}  // namespace warpfork
