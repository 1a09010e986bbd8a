// Remainders by what is a power of two on most machines: warps, banks.
#pragma once

#include <bit>
#include <cstdint>

namespace warpfork::ooo {

/// value % count, without a division where `count` is a power of two.
constexpr std::uint64_t remainder(std::uint64_t value, std::uint64_t count) {
  return std::has_single_bit(count) ? value & (count - 1) : value % count;
}

}  // namespace warpfork::ooo
