#include "simt/lane_permutation.h"

#include <array>
#include <bit>

#include "base/named.h"

namespace warpfork::simt {

namespace {

constexpr std::array kPermutations{NamedLanePermutation{"identity", LanePermutation::Identity},
                                   NamedLanePermutation{"mirror-odd", LanePermutation::MirrorOdd},
                                   NamedLanePermutation{"mirror-half", LanePermutation::MirrorHalf},
                                   NamedLanePermutation{"xor", LanePermutation::Xor},
                                   NamedLanePermutation{"xor-reversed", LanePermutation::XorReversed},
                                   NamedLanePermutation{"balanced", LanePermutation::Balanced}};

/// The lowest `count` bits of a number, the first one last.
unsigned reversed(unsigned number, unsigned count) {
  unsigned result = 0;
  for (unsigned bit = 0; bit < count; ++bit) result |= (number >> bit & 1u) << (count - 1 - bit);
  return result;
}

}  // namespace

std::span<const NamedLanePermutation> lane_permutations() { return kPermutations; }

LanePermutation find_lane_permutation(std::string_view name) {
  return find_named(kPermutations, name, "lane permutation", "lane permutations").permutation;
}

unsigned lane_key(LanePermutation permutation, WarpId warp, unsigned warps, unsigned warp_size) {
  const unsigned all = warp_size - 1;
  switch (permutation) {
    case LanePermutation::Identity:
      return 0;
    case LanePermutation::MirrorOdd:
      return warp % 2 != 0 ? all : 0;
    case LanePermutation::MirrorHalf:
      return warp >= (warps + 1) / 2 ? all : 0;
    case LanePermutation::Xor:
      return warp & all;
    case LanePermutation::XorReversed:
      return reversed(warp & all, static_cast<unsigned>(std::countr_zero(warp_size)));
    case LanePermutation::Balanced:
      return (warp % 2 != 0 ? ~(warp / 2) : warp / 2) & all;
  }
  return 0;
}

}  // namespace warpfork::simt
