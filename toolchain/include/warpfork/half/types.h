/* The types, and their bits. */
#pragma once

#include <cstring>

#define WARPFORK_HALF static __host__ __device__ inline

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

/* Rounded to nearest, ties to even; a NaN is PTX's. */
WARPFORK_HALF unsigned short __warpfork_half_bits(float value) {
#if defined(__CUDA_ARCH__)
  unsigned short result;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(value));
  return result;
#else
  unsigned bits;
  std::memcpy(&bits, &value, sizeof bits);
  const unsigned sign = bits >> 16 & 0x8000, magnitude = bits & 0x7FFFFFFF, exponent = magnitude >> 23;
  if (magnitude > 0x7F800000) return 0x7FFF;
  if (magnitude >= 0x47800000) return static_cast<unsigned short>(sign | 0x7C00); /* 65536 and more */
  if (exponent < 102) return static_cast<unsigned short>(sign);                   /* less than half of the least */
  const bool is_normal = exponent >= 113;
  const unsigned whole = is_normal ? magnitude - (112u << 23) : (magnitude & 0x7FFFFF) | 0x800000;
  const unsigned dropped = is_normal ? 13 : 126 - exponent, rest = whole & ((1u << dropped) - 1);
  unsigned kept = whole >> dropped;
  kept += rest > 1u << (dropped - 1) || (rest == 1u << (dropped - 1) && (kept & 1) != 0);
  return static_cast<unsigned short>(sign | kept);
#endif
}

/* Exact; a NaN is PTX's. */
WARPFORK_HALF float __warpfork_half_value(unsigned short bits) {
  float result;
#if defined(__CUDA_ARCH__)
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(bits));
#else
  const unsigned sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31, mantissa = bits & 0x3FF;
  unsigned wide = sign | (exponent + 112) << 23 | mantissa << 13;
  if (exponent == 31) wide = mantissa != 0 ? 0x7FFFFFFF : sign | 0x7F800000;
  std::memcpy(&result, &wide, sizeof result);
  if (exponent == 0) result = (sign != 0 ? -1.0f : 1.0f) * static_cast<float>(mantissa) * 0x1p-24f;
#endif
  return result;
}

struct alignas(2) __half {
  __half() = default;
  __host__ __device__ constexpr __half(__half_raw raw) : __x(raw.x) {}
  __host__ __device__ __half(float value) : __x(__warpfork_half_bits(value)) {}
  __host__ __device__ __half(double value);
  __host__ __device__ __half(int value) : __half(static_cast<float>(value)) {}
  __host__ __device__ __half(unsigned value) : __half(static_cast<float>(value)) {}
  __host__ __device__ __half(short value) : __half(static_cast<float>(value)) {}
  __host__ __device__ __half(unsigned short value) : __half(static_cast<float>(value)) {}
  __host__ __device__ __half(long long value) : __half(static_cast<float>(value)) {}
  __host__ __device__ __half(unsigned long long value) : __half(static_cast<float>(value)) {}
  __host__ __device__ operator float() const { return __warpfork_half_value(__x); }
  __host__ __device__ operator __half_raw() const { return {__x}; }

  unsigned short __x;
};

struct alignas(4) __half2 {
  __half2() = default;
  __host__ __device__ constexpr __half2(__half low, __half high) : x(low), y(high) {}
  __host__ __device__ constexpr __half2(__half2_raw raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  __host__ __device__ operator __half2_raw() const { return {x.__x, y.__x}; }

  __half x, y;
};

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

WARPFORK_HALF __half __warpfork_half_of(unsigned short bits) { return __half(__half_raw{bits}); }
WARPFORK_HALF unsigned __warpfork_word_of(__half2 pair) { return pair.x.__x | static_cast<unsigned>(pair.y.__x) << 16; }
WARPFORK_HALF __half2 __warpfork_pair_of(unsigned word) {
  return __half2(__half2_raw{static_cast<unsigned short>(word), static_cast<unsigned short>(word >> 16)});
}
