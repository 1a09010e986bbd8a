/* The types, and their bits. */
#pragma once

#include <cstring>

#define WARPFORK_BFLOAT16 static __host__ __device__ inline

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

WARPFORK_BFLOAT16 unsigned __warpfork_bits_of(float value) {
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
WARPFORK_BFLOAT16 float __warpfork_float_of(unsigned bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Rounded to nearest, ties to even; a NaN is PTX's. */
WARPFORK_BFLOAT16 unsigned short __warpfork_bfloat16_bits(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short result;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result) : "f"(value));
  return result;
#else
  const unsigned bits = __warpfork_bits_of(value);
  const unsigned nearest = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
  return static_cast<unsigned short>(value != value ? 0x7FFF : nearest);
#endif
}
/* Exact. */
WARPFORK_BFLOAT16 float __warpfork_bfloat16_value(unsigned short bits) {
  return __warpfork_float_of(static_cast<unsigned>(bits) << 16);
}

/* A float next to a number that is none, towards zero, with its last bit set: the number's rounding to the bfloat16s is
   also this float's. `near` is the number rounded in any direction, `beyond` whether it is farther from zero. */
WARPFORK_BFLOAT16 float __warpfork_inexact(float near, bool beyond) {
  return __warpfork_float_of((__warpfork_bits_of(near) - beyond) | 1);
}
WARPFORK_BFLOAT16 float __warpfork_odd_float(double value) {
  const float near = static_cast<float>(value);
  const double back = near;
  if (back == value || value != value) return near;
  return __warpfork_inexact(near, value < 0 ? back < value : back > value);
}

struct alignas(2) __nv_bfloat16 {
  __nv_bfloat16() = default;
  __host__ __device__ constexpr __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x) {}
  __host__ __device__ __nv_bfloat16(float value) : __x(__warpfork_bfloat16_bits(value)) {}
  __host__ __device__ __nv_bfloat16(double value) : __nv_bfloat16(__warpfork_odd_float(value)) {}
  __host__ __device__ __nv_bfloat16(int value) : __nv_bfloat16(static_cast<double>(value)) {}
  __host__ __device__ __nv_bfloat16(unsigned value) : __nv_bfloat16(static_cast<double>(value)) {}
  __host__ __device__ __nv_bfloat16(short value) : __nv_bfloat16(static_cast<float>(value)) {}
  __host__ __device__ __nv_bfloat16(unsigned short value) : __nv_bfloat16(static_cast<float>(value)) {}
  __host__ __device__ __nv_bfloat16(long value) : __nv_bfloat16(static_cast<long long>(value)) {}
  __host__ __device__ __nv_bfloat16(unsigned long value) : __nv_bfloat16(static_cast<unsigned long long>(value)) {}
  __host__ __device__ __nv_bfloat16(long long value);
  __host__ __device__ __nv_bfloat16(unsigned long long value);
  __host__ __device__ operator float() const { return __warpfork_bfloat16_value(__x); }
  __host__ __device__ operator __nv_bfloat16_raw() const { return {__x}; }

  unsigned short __x;
};

struct alignas(4) __nv_bfloat162 {
  __nv_bfloat162() = default;
  __host__ __device__ constexpr __nv_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) : x(low), y(high) {}
  __host__ __device__ constexpr __nv_bfloat162(__nv_bfloat162_raw raw)
      : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  __host__ __device__ operator __nv_bfloat162_raw() const { return {x.__x, y.__x}; }

  __nv_bfloat16 x, y;
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

WARPFORK_BFLOAT16 __nv_bfloat16 __warpfork_bfloat16_of(unsigned bits) {
  return __nv_bfloat16(__nv_bfloat16_raw{static_cast<unsigned short>(bits)});
}
WARPFORK_BFLOAT16 unsigned __warpfork_word_of(__nv_bfloat162 pair) {
  return pair.x.__x | static_cast<unsigned>(pair.y.__x) << 16;
}
WARPFORK_BFLOAT16 __nv_bfloat162 __warpfork_bfloat162_of(unsigned word) {
  return __nv_bfloat162(__warpfork_bfloat16_of(word), __warpfork_bfloat16_of(word >> 16));
}
