// Counts by number of lanes, or of splits, of a warp (docs/result-schema.md).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace warpfork::report {

/// A result counts up to so many lanes: those of the machine's warps, and 32 of smaller ones.
inline unsigned counted_lanes(unsigned warp_size) { return std::max(32u, warp_size); }

/// The first of the counts; the others are zero.
template <typename Count, std::size_t N>
std::vector<Count> first_of(const std::array<Count, N>& counts, std::size_t number) {
  return {counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(number)};
}

}  // namespace warpfork::report
