/* Lanes of a warp that work together, and what they exchange. */
#pragma once

#include <cuda_runtime.h>
#include <warpfork/cooperative_groups/words.h>

WARPFORK_LINES_OF_CALLERS
namespace cub {

/* `Size` lanes, a power of two; of those, `mask` are there. */
template <int Size>
struct warpfork_lanes {
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0, "a logical warp has 1, 2, 4, 8, 16 or 32 threads");

  static WARPFORK_DEVICE unsigned rank() { return __nvvm_read_ptx_sreg_laneid() % Size; }
  static WARPFORK_DEVICE unsigned all() { return ~0u >> (32 - Size) << __nvvm_read_ptx_sreg_laneid() / Size * Size; }

  template <class T>
  static WARPFORK_DEVICE T down(unsigned mask, const T& value, unsigned distance) {
    return cooperative_groups::warpfork_exchange(
        value, [=](unsigned word) { return __shfl_down_sync(mask, word, distance, Size); });
  }
  template <class T>
  static WARPFORK_DEVICE T up(unsigned mask, const T& value, unsigned distance) {
    return cooperative_groups::warpfork_exchange(
        value, [=](unsigned word) { return __shfl_up_sync(mask, word, distance, Size); });
  }
  template <class T>
  static WARPFORK_DEVICE T of(unsigned mask, const T& value, unsigned rank) {
    return cooperative_groups::warpfork_exchange(value,
                                                 [=](unsigned word) { return __shfl_sync(mask, word, rank, Size); });
  }

  /* Rank 0 has the result of the first `valid` lanes. */
  template <class T, class Operator>
  static WARPFORK_DEVICE T reduce(unsigned mask, T value, unsigned valid, Operator combine) {
#pragma unroll
    for (unsigned distance = 1; distance < Size; distance *= 2) {
      const T other = down(mask, value, distance);
      if (rank() + distance < valid) value = combine(value, other);
    }
    return value;
  }
  template <class T, class Operator>
  static WARPFORK_DEVICE T inclusive_scan(unsigned mask, T value, Operator combine) {
#pragma unroll
    for (unsigned distance = 1; distance < Size; distance *= 2) {
      const T other = up(mask, value, distance);
      if (rank() >= distance) value = combine(other, value);
    }
    return value;
  }
};

}  // namespace cub
WARPFORK_LINES_OF_FUNCTIONS
