// How warps take turns in a launch without timing.
#pragma once

#include <bit>
#include <cstdint>

namespace warpfork::gpu {

/// Warp instructions that a warp may run before the others get a turn. In rounds of the number `first_watched`, twice,
/// four times … this number a livelock is looked for; a warp's turn is then another one: so many instructions times the
/// number of the round. Only rounds in which some warp's turn ended are numbered: whoever goes round for ever uses it
/// up.
struct Turns {
  unsigned length, first_watched, watched;
  bool is_watched(std::uint64_t round) const { return round >= first_watched && std::has_single_bit(round); }
};
constexpr Turns kTurns{1 << 16, 4, 1 << 9};
/// Of a launch in which warps or blocks wait for others: they may do no more than ask whether these are there.
constexpr Turns kShortTurns{1 << 6, 256, 2};

}  // namespace warpfork::gpu
