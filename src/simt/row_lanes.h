// Lanes whose registers lie side by side, which the host's vector code takes at once.
#pragma once

#include "base/active_mask.h"

namespace warpfork::simt {

/// The lanes of one row of registers. A warp of up to 32 threads has one row of each register; one of 64 has two, of
/// its lanes 0 … 31 and 32 … 63.
using RowLanes = BitSet<struct RowTag, 32>;
inline constexpr unsigned kRowLanes = RowLanes::kCapacity;

/// Rows that the warps of so many threads need.
constexpr unsigned rows_of(unsigned warp_size) { return (warp_size + kRowLanes - 1) / kRowLanes; }

/// Those of a warp's lanes that are in a row, and back.
constexpr RowLanes in_row(ActiveMask lanes, unsigned row) {
  return RowLanes(static_cast<RowLanes::Word>(lanes.bits() >> row * kRowLanes));
}
constexpr ActiveMask of_row(RowLanes lanes, unsigned row) {
  return ActiveMask(ActiveMask::Word{lanes.bits()} << row * kRowLanes);
}

/// Calls visit(row, lanes of it) for the rows in which the warp's lanes are.
template <typename Visit>
constexpr void for_each_row(ActiveMask lanes, Visit&& visit) {
  for (unsigned row = 0; row < rows_of(kMaxWarpSize); ++row)
    if (const RowLanes there = in_row(lanes, row); there.any()) visit(row, there);
}

}  // namespace warpfork::simt
