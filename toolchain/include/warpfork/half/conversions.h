/* From and to other types, and between numbers and pairs. */
#pragma once

#include <warpfork/half/types.h>

#include <cmath>

/* Rounded once. A float that lies next to the double, away from zero if that has more bits, and odd then, rounds as it
 * does. */
WARPFORK_HALF __half __double2half(double value) {
#if defined(__CUDA_ARCH__)
  unsigned short bits;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(value));
  return __warpfork_half_of(bits);
#else
  float near = static_cast<float>(value);
  if (static_cast<double>(near) != value && value == value && std::isfinite(near)) {
    unsigned bits;
    std::memcpy(&bits, &near, sizeof bits);
    if (std::fabs(static_cast<double>(near)) > std::fabs(value)) --bits;
    bits |= 1;
    std::memcpy(&near, &bits, sizeof near);
  }
  return __half(near);
#endif
}
inline __host__ __device__ __half::__half(double value) : __x(__double2half(value).__x) {}

WARPFORK_HALF __half __float2half(float value) { return __half(value); }
WARPFORK_HALF __half __float2half_rn(float value) { return __half(value); }
WARPFORK_HALF float __half2float(__half value) { return value; }
WARPFORK_HALF short __half_as_short(__half value) { return static_cast<short>(value.__x); }
WARPFORK_HALF unsigned short __half_as_ushort(__half value) { return value.__x; }
WARPFORK_HALF __half __short_as_half(short bits) { return __warpfork_half_of(static_cast<unsigned short>(bits)); }
WARPFORK_HALF __half __ushort_as_half(unsigned short bits) { return __warpfork_half_of(bits); }

/* Towards a half that is next to it, if it is none. `away`: whether the one farther from zero is wanted. */
WARPFORK_HALF __half __warpfork_towards(float value, bool away) {
  const __half near(value);
  const float distance = std::fabs(static_cast<float>(near)) - std::fabs(value);
  if (distance == 0 || value != value || std::isinf(value)) return near;
  if (away) return distance > 0 ? near : __warpfork_half_of(static_cast<unsigned short>(near.__x + 1));
  return distance < 0 ? near : __warpfork_half_of(static_cast<unsigned short>(near.__x - 1));
}
WARPFORK_HALF __half __float2half_rz(float value) { return __warpfork_towards(value, false); }
WARPFORK_HALF __half __float2half_ru(float value) { return __warpfork_towards(value, value > 0); }
WARPFORK_HALF __half __float2half_rd(float value) { return __warpfork_towards(value, value < 0); }

/* As a float an integer above 2^24 loses digits, but a half has none as large. */
#define WARPFORK_HALF_INTEGER(name, type)                                                                      \
  WARPFORK_HALF __half __##name##2half_rz(type value) { return __float2half_rz(static_cast<float>(value)); }   \
  WARPFORK_HALF __half __##name##2half_rd(type value) { return __float2half_rd(static_cast<float>(value)); }   \
  WARPFORK_HALF __half __##name##2half_ru(type value) { return __float2half_ru(static_cast<float>(value)); }   \
  WARPFORK_HALF __half __##name##2half_rn(type value) { return __half(static_cast<float>(value)); }            \
  WARPFORK_HALF type __half2##name##_rn(__half value) {                                                        \
    return static_cast<type>(std::rint(static_cast<float>(value)));                                            \
  }                                                                                                            \
  WARPFORK_HALF type __half2##name##_rz(__half value) { return static_cast<type>(static_cast<float>(value)); } \
  WARPFORK_HALF type __half2##name##_rd(__half value) {                                                        \
    return static_cast<type>(std::floor(static_cast<float>(value)));                                           \
  }                                                                                                            \
  WARPFORK_HALF type __half2##name##_ru(__half value) {                                                        \
    return static_cast<type>(std::ceil(static_cast<float>(value)));                                            \
  }
WARPFORK_HALF_INTEGER(int, int)
WARPFORK_HALF_INTEGER(uint, unsigned)
WARPFORK_HALF_INTEGER(short, short)
WARPFORK_HALF_INTEGER(ushort, unsigned short)
WARPFORK_HALF_INTEGER(ll, long long)
WARPFORK_HALF_INTEGER(ull, unsigned long long)
#undef WARPFORK_HALF_INTEGER
/* NaN is 0. */
WARPFORK_HALF signed char __half2char_rz(__half value) {
  return static_cast<signed char>(
      fminf(fmaxf((value.__x & 0x7FFF) > 0x7C00 ? 0.0f : static_cast<float>(value), -128.0f), 127.0f));
}
WARPFORK_HALF unsigned char __half2uchar_rz(__half value) {
  return static_cast<unsigned char>(fminf(fmaxf(static_cast<float>(value), 0.0f), 255.0f));
}

WARPFORK_HALF __half2 __halves2half2(__half low, __half high) { return __half2(low, high); }
WARPFORK_HALF __half2 make_half2(__half low, __half high) { return __half2(low, high); }
WARPFORK_HALF __half2 __half2half2(__half value) { return __half2(value, value); }
WARPFORK_HALF __half2 __float2half2_rn(float value) { return __half2half2(__half(value)); }
WARPFORK_HALF __half2 __floats2half2_rn(float low, float high) { return __half2(__half(low), __half(high)); }
WARPFORK_HALF __half2 __float22half2_rn(float2 pair) { return __floats2half2_rn(pair.x, pair.y); }
WARPFORK_HALF float2 __half22float2(__half2 pair) { return make_float2(pair.x, pair.y); }
WARPFORK_HALF float __low2float(__half2 pair) { return pair.x; }
WARPFORK_HALF float __high2float(__half2 pair) { return pair.y; }
WARPFORK_HALF __half __low2half(__half2 pair) { return pair.x; }
WARPFORK_HALF __half __high2half(__half2 pair) { return pair.y; }
WARPFORK_HALF __half2 __low2half2(__half2 pair) { return __half2(pair.x, pair.x); }
WARPFORK_HALF __half2 __high2half2(__half2 pair) { return __half2(pair.y, pair.y); }
WARPFORK_HALF __half2 __lowhigh2highlow(__half2 pair) { return __half2(pair.y, pair.x); }
WARPFORK_HALF __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
WARPFORK_HALF __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
