/* What only kernels have: atomics, shuffles, loads and stores. */
#pragma once

#include <warpfork/bfloat16/arithmetic.h>
#include <warpfork/number_accesses.h>

/* Adds to one word of memory that holds the number, or the pair, and gives what was there. */
static __device__ inline __nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 value) {
  unsigned* const word = reinterpret_cast<unsigned*>(address);
  unsigned seen = *word, expected;
  do {
    expected = seen;
    seen = atomicCAS(word, expected, __warpfork_word_of(__hadd2(__warpfork_bfloat162_of(expected), value)));
  } while (seen != expected);
  return __warpfork_bfloat162_of(seen);
}
static __device__ inline __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value) {
  const size_t place = reinterpret_cast<size_t>(address);
  unsigned* const word = reinterpret_cast<unsigned*>(place & ~size_t{3});
  const unsigned shift = (place & 2) * 8;
  unsigned seen = *word, expected;
  do {
    expected = seen;
    const __nv_bfloat16 sum = __hadd(__warpfork_bfloat16_of(expected >> shift), value);
    seen = atomicCAS(word, expected, (expected & ~(0xFFFFu << shift)) | static_cast<unsigned>(sum.__x) << shift);
  } while (seen != expected);
  return __warpfork_bfloat16_of(seen >> shift);
}

#define WARPFORK_BFLOAT16_SHUFFLE(name, type)                                                                     \
  static __device__ inline __nv_bfloat16 name(unsigned mask, __nv_bfloat16 value, type where, int width = 32) {   \
    return __warpfork_bfloat16_of(name(mask, unsigned{value.__x}, where, width));                                 \
  }                                                                                                               \
  static __device__ inline __nv_bfloat162 name(unsigned mask, __nv_bfloat162 value, type where, int width = 32) { \
    return __warpfork_bfloat162_of(name(mask, __warpfork_word_of(value), where, width));                          \
  }
WARPFORK_BFLOAT16_SHUFFLE(__shfl_sync, int)
WARPFORK_BFLOAT16_SHUFFLE(__shfl_up_sync, unsigned)
WARPFORK_BFLOAT16_SHUFFLE(__shfl_down_sync, unsigned)
WARPFORK_BFLOAT16_SHUFFLE(__shfl_xor_sync, int)
#undef WARPFORK_BFLOAT16_SHUFFLE

WARPFORK_NUMBER_ACCESSES(__nv_bfloat16, unsigned short)
WARPFORK_NUMBER_ACCESSES(__nv_bfloat162, unsigned)
