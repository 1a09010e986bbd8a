/* What only kernels have: atomics, shuffles, loads and stores. */
#pragma once

#include <warpfork/half/arithmetic.h>
#include <warpfork/number_accesses.h>

/* Adds to one word of memory that holds the number, or the pair, and gives what was there. */
static __device__ inline __half2 atomicAdd(__half2* address, __half2 value) {
  unsigned* const word = reinterpret_cast<unsigned*>(address);
  unsigned seen = *word, expected;
  do {
    expected = seen;
    seen = atomicCAS(word, expected, __warpfork_word_of(__hadd2(__warpfork_pair_of(expected), value)));
  } while (seen != expected);
  return __warpfork_pair_of(seen);
}
static __device__ inline __half atomicAdd(__half* address, __half value) {
  const size_t place = reinterpret_cast<size_t>(address);
  unsigned* const word = reinterpret_cast<unsigned*>(place & ~size_t{3});
  const unsigned shift = (place & 2) * 8;
  unsigned seen = *word, expected;
  do {
    expected = seen;
    const __half sum = __hadd(__warpfork_half_of(static_cast<unsigned short>(expected >> shift)), value);
    seen = atomicCAS(word, expected, (expected & ~(0xFFFFu << shift)) | static_cast<unsigned>(sum.__x) << shift);
  } while (seen != expected);
  return __warpfork_half_of(static_cast<unsigned short>(seen >> shift));
}

#define WARPFORK_HALF_SHUFFLE(name, type)                                                                  \
  static __device__ inline __half name(unsigned mask, __half value, type where, int width = 32) {          \
    return __warpfork_half_of(static_cast<unsigned short>(name(mask, unsigned{value.__x}, where, width))); \
  }                                                                                                        \
  static __device__ inline __half2 name(unsigned mask, __half2 value, type where, int width = 32) {        \
    return __warpfork_pair_of(name(mask, __warpfork_word_of(value), where, width));                        \
  }
WARPFORK_HALF_SHUFFLE(__shfl_sync, int)
WARPFORK_HALF_SHUFFLE(__shfl_up_sync, unsigned)
WARPFORK_HALF_SHUFFLE(__shfl_down_sync, unsigned)
WARPFORK_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef WARPFORK_HALF_SHUFFLE

WARPFORK_NUMBER_ACCESSES(__half, unsigned short)
WARPFORK_NUMBER_ACCESSES(__half2, unsigned)
