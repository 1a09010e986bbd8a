/* Minima and maxima of three numbers, of a sum and a number, with 0 (`_relu`) and with the choice made (`__vib`), of
   words and of pairs of half words (CUDA Math API, "SIMD Intrinsics"; elsewhere called DPX). Sums wrap around. On host
   and device; instructions of their own they are on sm_90 alone. */
#pragma once

#define WARPFORK_EXTREME static __host__ __device__ inline __attribute__((always_inline))

template <typename T>
WARPFORK_EXTREME T warpfork_rectified(T a) {
  return a > 0 ? a : T(0);
}
#define WARPFORK_LOW(type, a) static_cast<type>(a)
#define WARPFORK_HIGH(type, a) static_cast<type>((a) >> 16)
#define WARPFORK_WORD(low, high) \
  (static_cast<unsigned short>(low) | static_cast<unsigned>(static_cast<unsigned short>(high)) << 16)

#define WARPFORK_EXTREMES(extreme, symbol, suffix, type)                                                             \
  WARPFORK_EXTREME type warpfork_##extreme##_##suffix(type a, type b) { return a symbol b ? a : b; }                 \
  WARPFORK_EXTREME type __vi##extreme##3_##suffix(type a, type b, type c) {                                          \
    return warpfork_##extreme##_##suffix(warpfork_##extreme##_##suffix(a, b), c);                                    \
  }                                                                                                                  \
  WARPFORK_EXTREME type __viadd##extreme##_##suffix(type a, type b, type c) {                                        \
    return warpfork_##extreme##_##suffix(static_cast<type>(static_cast<unsigned>(a) + static_cast<unsigned>(b)), c); \
  }                                                                                                                  \
  WARPFORK_EXTREME type __vib##extreme##_##suffix(type a, type b, bool* is_first) {                                  \
    *is_first = a symbol b;                                                                                          \
    return *is_first ? a : b;                                                                                        \
  }
#define WARPFORK_RECTIFIED(extreme, suffix, type)                                    \
  WARPFORK_EXTREME type __vi##extreme##_##suffix##_relu(type a, type b) {            \
    return warpfork_rectified(warpfork_##extreme##_##suffix(a, b));                  \
  }                                                                                  \
  WARPFORK_EXTREME type __vi##extreme##3_##suffix##_relu(type a, type b, type c) {   \
    return warpfork_rectified(__vi##extreme##3_##suffix(a, b, c));                   \
  }                                                                                  \
  WARPFORK_EXTREME type __viadd##extreme##_##suffix##_relu(type a, type b, type c) { \
    return warpfork_rectified(__viadd##extreme##_##suffix(a, b, c));                 \
  }
/* Of pairs, by the function of one half. */
#define WARPFORK_PAIR_OF_TWO(name, of_half, type)                                  \
  WARPFORK_EXTREME unsigned name(unsigned a, unsigned b) {                         \
    return WARPFORK_WORD(of_half(WARPFORK_LOW(type, a), WARPFORK_LOW(type, b)),    \
                         of_half(WARPFORK_HIGH(type, a), WARPFORK_HIGH(type, b))); \
  }
#define WARPFORK_PAIR_OF_THREE(name, of_half, type)                                                        \
  WARPFORK_EXTREME unsigned name(unsigned a, unsigned b, unsigned c) {                                     \
    return WARPFORK_WORD(of_half(WARPFORK_LOW(type, a), WARPFORK_LOW(type, b), WARPFORK_LOW(type, c)),     \
                         of_half(WARPFORK_HIGH(type, a), WARPFORK_HIGH(type, b), WARPFORK_HIGH(type, c))); \
  }
#define WARPFORK_PAIRS(extreme, suffix, type)                                                              \
  WARPFORK_PAIR_OF_THREE(__vi##extreme##3_##suffix##x2, __vi##extreme##3_##suffix, type)                   \
  WARPFORK_PAIR_OF_THREE(__viadd##extreme##_##suffix##x2, __viadd##extreme##_##suffix, type)               \
  WARPFORK_EXTREME unsigned __vib##extreme##_##suffix##x2(unsigned a, unsigned b, bool* high, bool* low) { \
    return WARPFORK_WORD(__vib##extreme##_##suffix(WARPFORK_LOW(type, a), WARPFORK_LOW(type, b), low),     \
                         __vib##extreme##_##suffix(WARPFORK_HIGH(type, a), WARPFORK_HIGH(type, b), high)); \
  }
#define WARPFORK_ALL_EXTREMES(extreme, symbol)                                          \
  WARPFORK_EXTREMES(extreme, symbol, s32, int)                                          \
  WARPFORK_EXTREMES(extreme, symbol, u32, unsigned)                                     \
  WARPFORK_EXTREMES(extreme, symbol, s16, short)                                        \
  WARPFORK_EXTREMES(extreme, symbol, u16, unsigned short)                               \
  WARPFORK_RECTIFIED(extreme, s32, int)                                                 \
  WARPFORK_RECTIFIED(extreme, s16, short)                                               \
  WARPFORK_PAIRS(extreme, s16, short)                                                   \
  WARPFORK_PAIRS(extreme, u16, unsigned short)                                          \
  WARPFORK_PAIR_OF_TWO(__vi##extreme##_s16x2_relu, __vi##extreme##_s16_relu, short)     \
  WARPFORK_PAIR_OF_THREE(__vi##extreme##3_s16x2_relu, __vi##extreme##3_s16_relu, short) \
  WARPFORK_PAIR_OF_THREE(__viadd##extreme##_s16x2_relu, __viadd##extreme##_s16_relu, short)
WARPFORK_ALL_EXTREMES(max, >=)
WARPFORK_ALL_EXTREMES(min, <=)
#undef WARPFORK_ALL_EXTREMES
#undef WARPFORK_PAIRS
#undef WARPFORK_PAIR_OF_THREE
#undef WARPFORK_PAIR_OF_TWO
#undef WARPFORK_RECTIFIED
#undef WARPFORK_EXTREMES
#undef WARPFORK_WORD
#undef WARPFORK_HIGH
#undef WARPFORK_LOW
#undef WARPFORK_EXTREME
