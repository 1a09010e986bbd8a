// Division of 128-bit integers in device code. `warpfork cc` puts calls of these in the place of the operators.
#pragma once

#ifdef __CUDA_ARCH__

WARPFORK_LINES_OF_CALLERS

struct __warpfork_quotient64 {
  unsigned long long quotient, remainder;
};

// high:low / divisor where high < divisor, digit by digit of 32 bits (Knuth, The Art of Computer Programming 2, 4.3.1,
// algorithm D).
static __device__ inline __warpfork_quotient64 __warpfork_divide_by_64(unsigned long long high, unsigned long long low,
                                                                       unsigned long long divisor) {
  const int shift = __clzll(divisor);
  divisor <<= shift;
  const unsigned long long upper = divisor >> 32, lower = divisor & 0xffffffff;
  if (shift != 0) high = high << shift | low >> (64 - shift);
  low <<= shift;
  unsigned long long quotient = 0;
  for (int digit = 0; digit < 2; ++digit) {
    const unsigned long long next = digit == 0 ? low >> 32 : low & 0xffffffff;
    unsigned long long guess = high / upper, rest = high % upper;
    while (guess >> 32 != 0 || guess * lower > (rest << 32 | next)) {
      --guess;
      rest += upper;
      if (rest >> 32 != 0) break;
    }
    high = (high << 32 | next) - guess * divisor;
    quotient = quotient << 32 | guess;
  }
  return {quotient, high >> shift};
}

static __device__ inline unsigned __int128 __warpfork_divide_128(unsigned __int128 dividend, unsigned __int128 divisor,
                                                                 unsigned __int128& remainder) {
  const unsigned long long high = dividend >> 64, low = dividend, above = divisor >> 64, only = divisor;
  if (above == 0) {
    const unsigned long long first = high / only;
    const __warpfork_quotient64 second = __warpfork_divide_by_64(high % only, low, only);
    remainder = second.remainder;
    return static_cast<unsigned __int128>(first) << 64 | second.quotient;
  }
  // The quotient has 64 bits: that of half the dividend by the divisor's leading bits is at most one too large.
  const int shift = __clzll(above);
  const unsigned long long leading = (divisor << shift) >> 64;
  const unsigned __int128 half = dividend >> 1;
  unsigned long long quotient = __warpfork_divide_by_64(half >> 64, half, leading).quotient >> (63 - shift);
  if (quotient != 0) --quotient;
  remainder = dividend - quotient * divisor;
  if (remainder >= divisor) {
    remainder -= divisor;
    ++quotient;
  }
  return quotient;
}

extern "C" {
__attribute__((used)) inline __device__ unsigned __int128 __warpfork_udiv128(unsigned __int128 a, unsigned __int128 b) {
  unsigned __int128 remainder;
  return __warpfork_divide_128(a, b, remainder);
}
__attribute__((used)) inline __device__ unsigned __int128 __warpfork_urem128(unsigned __int128 a, unsigned __int128 b) {
  unsigned __int128 remainder;
  __warpfork_divide_128(a, b, remainder);
  return remainder;
}
__attribute__((used)) inline __device__ __int128 __warpfork_sdiv128(__int128 a, __int128 b) {
  const unsigned __int128 quotient = __warpfork_udiv128(a < 0 ? -static_cast<unsigned __int128>(a) : a,
                                                        b < 0 ? -static_cast<unsigned __int128>(b) : b);
  return static_cast<__int128>((a < 0) != (b < 0) ? -quotient : quotient);
}
__attribute__((used)) inline __device__ __int128 __warpfork_srem128(__int128 a, __int128 b) {
  const unsigned __int128 remainder = __warpfork_urem128(a < 0 ? -static_cast<unsigned __int128>(a) : a,
                                                         b < 0 ? -static_cast<unsigned __int128>(b) : b);
  return static_cast<__int128>(a < 0 ? -remainder : remainder);
}
}

WARPFORK_LINES_OF_FUNCTIONS

#endif
