// The lanes of a warp of the out-of-order SIMT core: up to 64 threads run on one core, and all may be one warp.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace warpfork::ooo {

/// A set of lanes, bit i = lane i.
using LaneMask = std::uint64_t;
inline constexpr unsigned kMaxLanes = 64;

/// Lanes 0 … count − 1.
constexpr LaneMask first_lanes(unsigned count) {
  return count >= kMaxLanes ? ~LaneMask{0} : (LaneMask{1} << count) - 1;
}

constexpr unsigned lane_count(LaneMask mask) { return static_cast<unsigned>(std::popcount(mask)); }

/// Calls visit(lane) for every lane in ascending order.
template <class Visit>
constexpr void for_each_lane(LaneMask mask, Visit&& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(std::countr_zero(mask)));
}

constexpr bool covers(LaneMask whole, LaneMask part) { return (part & ~whole) == 0; }

/// As the paper prints masks: `width` digits, lane 0 rightmost, e.g. "0101".
inline std::string mask_text(LaneMask mask, unsigned width) {
  std::string text(width, '0');
  for (unsigned lane = 0; lane < width; ++lane)
    if (mask >> lane & 1) text[width - 1 - lane] = '1';
  return text;
}

}  // namespace warpfork::ooo
