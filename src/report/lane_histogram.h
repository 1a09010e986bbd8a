// Counts by number of lanes, or of splits, of a warp (docs/result-schema.md).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace warpfork::report {

/// A result counts up to so many lanes: those of the machine's warps, and 32 of smaller ones.
inline unsigned counted_lanes(unsigned warp_size) { return std::max(32u, warp_size); }

/// The first `number` of the counts are what results have; the others are zero. The counts must outlive it.
template <std::size_t N>
struct LaneHistogram {
  std::array<std::uint64_t, N>& counts;
  std::size_t number;

  auto begin() const { return counts.begin(); }
  auto end() const { return counts.begin() + static_cast<std::ptrdiff_t>(number); }
};

template <std::size_t N>
LaneHistogram<N> first_of(std::array<std::uint64_t, N>& counts, std::size_t number) {
  return {counts, number};
}

}  // namespace warpfork::report
