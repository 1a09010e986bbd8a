// Which lane of its warp a thread has: that of its own number, or one that differs from warp to warp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/bit_set.h"
#include "base/types.h"

namespace warpfork::simt {

/// A thread keeps its lane as long as it lives: the one whose number is the thread's own in its warp, XOR the warp's
/// key. Where the same threads of every warp part from the others they would have the same lanes without a key, and
/// could not be compacted (SIMD lane permutation: Rhu and Erez, ISCA 2013, whose own is Balanced; those before it:
/// Brunie et al., ISCA 2012).
enum class LanePermutation : std::uint8_t { Identity, MirrorOdd, MirrorHalf, Xor, XorReversed, Balanced };

struct NamedLanePermutation {
  std::string_view name;  // as in a machine description
  LanePermutation permutation;
};

std::span<const NamedLanePermutation> lane_permutations();

/// Throws Error with the known names if there is none of that name.
LanePermutation find_lane_permutation(std::string_view name);

/// The key of a block's warp, of which the block has `warps`, of `warp_size` threads, a power of two. Below that.
unsigned lane_key(LanePermutation permutation, WarpId warp, unsigned warps, unsigned warp_size);

/// For each lane of the set the one whose number is its own XOR the key: threads by their numbers become lanes, and
/// lanes threads.
template <typename Tag, unsigned N>
constexpr BitSet<Tag, N> permuted(BitSet<Tag, N> lanes, unsigned key) {
  using Word = typename BitSet<Tag, N>::Word;
  Word bits = lanes.bits();
  for (unsigned distance = 1; distance <= key; distance *= 2) {
    if ((key & distance) == 0) continue;
    const Word lower = static_cast<Word>(~Word{0}) / ((Word{1} << distance) + 1);  // of neighbours so far apart
    bits = static_cast<Word>((bits & lower) << distance | (bits >> distance & lower));
  }
  return BitSet<Tag, N>(bits);
}

}  // namespace warpfork::simt
