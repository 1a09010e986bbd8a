/* Loads and stores that say what is to be cached, of numbers that `word` holds the bits of (CUDA Math API, "Half Precision
   Conversion and Data Movement", and the same of bfloat16). */
#pragma once

#define WARPFORK_NUMBER_LOAD(operation, type, word)                                               \
  static __device__ inline type __ld##operation(const type* address) {                            \
    return __builtin_bit_cast(type, __ld##operation(reinterpret_cast<const word*>(address)));     \
  }
#define WARPFORK_NUMBER_STORE(operation, type, word)                                              \
  static __device__ inline void __st##operation(type* address, type value) {                      \
    __st##operation(reinterpret_cast<word*>(address), __builtin_bit_cast(word, value));           \
  }
#define WARPFORK_NUMBER_ACCESSES(type, word) \
  WARPFORK_NUMBER_LOAD(g, type, word)        \
  WARPFORK_NUMBER_LOAD(ca, type, word)       \
  WARPFORK_NUMBER_LOAD(cg, type, word)       \
  WARPFORK_NUMBER_LOAD(cs, type, word)       \
  WARPFORK_NUMBER_LOAD(lu, type, word)       \
  WARPFORK_NUMBER_LOAD(cv, type, word)       \
  WARPFORK_NUMBER_STORE(wb, type, word)      \
  WARPFORK_NUMBER_STORE(cg, type, word)      \
  WARPFORK_NUMBER_STORE(cs, type, word)      \
  WARPFORK_NUMBER_STORE(wt, type, word)
