/* From and to other types, and between numbers and pairs. */
#pragma once

#include <warpfork/bfloat16/types.h>

#include <cmath>
#include <limits>

/* Rounded once: of more than 53 bits, which a double holds, the lowest eleven count only as to whether there are any.
 */
inline __host__ __device__ __nv_bfloat16::__nv_bfloat16(unsigned long long value)
    : __nv_bfloat16(static_cast<double>(value >> 53 == 0 ? value : (value & ~2047ull) | ((value & 2047) != 0) << 11)) {}
inline __host__ __device__ __nv_bfloat16::__nv_bfloat16(long long value)
    : __nv_bfloat16(value < 0 ? 0 - static_cast<unsigned long long>(value) : static_cast<unsigned long long>(value)) {
  if (value < 0) __x |= 0x8000;
}

WARPFORK_BFLOAT16 __nv_bfloat16 __double2bfloat16(double value) { return __nv_bfloat16(value); }
WARPFORK_BFLOAT16 __nv_bfloat16 __float2bfloat16(float value) { return __nv_bfloat16(value); }
WARPFORK_BFLOAT16 __nv_bfloat16 __float2bfloat16_rn(float value) { return __nv_bfloat16(value); }
WARPFORK_BFLOAT16 float __bfloat162float(__nv_bfloat16 value) { return value; }
WARPFORK_BFLOAT16 short __bfloat16_as_short(__nv_bfloat16 value) { return static_cast<short>(value.__x); }
WARPFORK_BFLOAT16 unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) { return value.__x; }
WARPFORK_BFLOAT16 __nv_bfloat16 __short_as_bfloat16(short bits) {
  return __warpfork_bfloat16_of(static_cast<unsigned short>(bits));
}
WARPFORK_BFLOAT16 __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __warpfork_bfloat16_of(bits); }

/* The lower half is cut off. `away`: the one farther from zero is wanted, unless nothing is lost. */
WARPFORK_BFLOAT16 __nv_bfloat16 __warpfork_bfloat16_towards(float value, bool away) {
  const unsigned bits = __warpfork_bits_of(value);
  return __warpfork_bfloat16_of(value != value ? 0x7FFF : (bits + (away ? 0xFFFF : 0)) >> 16);
}
WARPFORK_BFLOAT16 __nv_bfloat16 __float2bfloat16_rz(float value) { return __warpfork_bfloat16_towards(value, false); }
WARPFORK_BFLOAT16 __nv_bfloat16 __float2bfloat16_ru(float value) {
  return __warpfork_bfloat16_towards(value, value > 0);
}
WARPFORK_BFLOAT16 __nv_bfloat16 __float2bfloat16_rd(float value) {
  return __warpfork_bfloat16_towards(value, value < 0);
}

/* Numbers that the type does not have become the nearest that it has; NaN is zero, and the top bit alone in
   64 bits, as the GPU's conversions have it. A cast of these is undefined on the host. */
template <class T>
WARPFORK_BFLOAT16 T __warpfork_integer_of(float value) {
  constexpr T lowest = std::numeric_limits<T>::min(), highest = std::numeric_limits<T>::max();
  if (value != value) return sizeof(T) == 8 ? static_cast<T>(1ull << 63) : T(0);
  if (value >= static_cast<float>(highest)) return highest;
  return value <= static_cast<float>(lowest) ? lowest : static_cast<T>(value);
}

/* Eight bits of the number are kept. `away`: the one farther from zero is wanted, unless nothing is lost. */
template <class T>
WARPFORK_BFLOAT16 __nv_bfloat16 __warpfork_bfloat16_of_integer(T value, bool away) {
  const unsigned long long magnitude = value < 0 ? 0 - static_cast<unsigned long long>(value) : value;
  const int lost = magnitude < 256 ? 0 : 56 - __builtin_clzll(magnitude);
  const unsigned long long kept = (magnitude >> lost) + (away && magnitude >> lost << lost != magnitude ? 1 : 0);
  const float nearest = static_cast<float>(kept) * static_cast<float>(1ull << lost);
  return __nv_bfloat16(value < 0 ? -nearest : nearest);
}

#define WARPFORK_BFLOAT16_INTEGER(name, type)                                                         \
  WARPFORK_BFLOAT16 __nv_bfloat16 __##name##2bfloat16_rn(type value) { return __nv_bfloat16(value); } \
  WARPFORK_BFLOAT16 __nv_bfloat16 __##name##2bfloat16_rz(type value) {                                \
    return __warpfork_bfloat16_of_integer(value, false);                                              \
  }                                                                                                   \
  WARPFORK_BFLOAT16 __nv_bfloat16 __##name##2bfloat16_rd(type value) {                                \
    return __warpfork_bfloat16_of_integer(value, value < 0);                                          \
  }                                                                                                   \
  WARPFORK_BFLOAT16 __nv_bfloat16 __##name##2bfloat16_ru(type value) {                                \
    return __warpfork_bfloat16_of_integer(value, value > 0);                                          \
  }                                                                                                   \
  WARPFORK_BFLOAT16 type __bfloat162##name##_rn(__nv_bfloat16 value) {                                \
    return __warpfork_integer_of<type>(std::rint(static_cast<float>(value)));                         \
  }                                                                                                   \
  WARPFORK_BFLOAT16 type __bfloat162##name##_rz(__nv_bfloat16 value) {                                \
    return __warpfork_integer_of<type>(static_cast<float>(value));                                    \
  }                                                                                                   \
  WARPFORK_BFLOAT16 type __bfloat162##name##_rd(__nv_bfloat16 value) {                                \
    return __warpfork_integer_of<type>(std::floor(static_cast<float>(value)));                        \
  }                                                                                                   \
  WARPFORK_BFLOAT16 type __bfloat162##name##_ru(__nv_bfloat16 value) {                                \
    return __warpfork_integer_of<type>(std::ceil(static_cast<float>(value)));                         \
  }
WARPFORK_BFLOAT16_INTEGER(int, int)
WARPFORK_BFLOAT16_INTEGER(uint, unsigned)
WARPFORK_BFLOAT16_INTEGER(short, short)
WARPFORK_BFLOAT16_INTEGER(ushort, unsigned short)
WARPFORK_BFLOAT16_INTEGER(ll, long long)
WARPFORK_BFLOAT16_INTEGER(ull, unsigned long long)
#undef WARPFORK_BFLOAT16_INTEGER
WARPFORK_BFLOAT16 signed char __bfloat162char_rz(__nv_bfloat16 value) {
  return __warpfork_integer_of<signed char>(static_cast<float>(value));
}
WARPFORK_BFLOAT16 unsigned char __bfloat162uchar_rz(__nv_bfloat16 value) {
  return __warpfork_integer_of<unsigned char>(static_cast<float>(value));
}

#define WARPFORK_BFLOAT16_PAIR WARPFORK_BFLOAT16 __nv_bfloat162
WARPFORK_BFLOAT16_PAIR __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return __nv_bfloat162(low, high); }
WARPFORK_BFLOAT16_PAIR make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return __nv_bfloat162(low, high); }
WARPFORK_BFLOAT16_PAIR __bfloat162bfloat162(__nv_bfloat16 value) { return __nv_bfloat162(value, value); }
WARPFORK_BFLOAT16_PAIR __float2bfloat162_rn(float value) { return __bfloat162bfloat162(__nv_bfloat16(value)); }
WARPFORK_BFLOAT16_PAIR __floats2bfloat162_rn(float low, float high) {
  return __nv_bfloat162(__nv_bfloat16(low), __nv_bfloat16(high));
}
WARPFORK_BFLOAT16_PAIR __float22bfloat162_rn(float2 pair) { return __floats2bfloat162_rn(pair.x, pair.y); }
WARPFORK_BFLOAT16_PAIR __low2bfloat162(__nv_bfloat162 pair) { return __nv_bfloat162(pair.x, pair.x); }
WARPFORK_BFLOAT16_PAIR __high2bfloat162(__nv_bfloat162 pair) { return __nv_bfloat162(pair.y, pair.y); }
WARPFORK_BFLOAT16_PAIR __lowhigh2highlow(__nv_bfloat162 pair) { return __nv_bfloat162(pair.y, pair.x); }
WARPFORK_BFLOAT16_PAIR __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
WARPFORK_BFLOAT16_PAIR __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }
#undef WARPFORK_BFLOAT16_PAIR
WARPFORK_BFLOAT16 float2 __bfloat1622float2(__nv_bfloat162 pair) { return make_float2(pair.x, pair.y); }
WARPFORK_BFLOAT16 float __low2float(__nv_bfloat162 pair) { return pair.x; }
WARPFORK_BFLOAT16 float __high2float(__nv_bfloat162 pair) { return pair.y; }
WARPFORK_BFLOAT16 __nv_bfloat16 __low2bfloat16(__nv_bfloat162 pair) { return pair.x; }
WARPFORK_BFLOAT16 __nv_bfloat16 __high2bfloat16(__nv_bfloat162 pair) { return pair.y; }
