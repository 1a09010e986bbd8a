/* The formats, and their bits: a sign, four or five bits of the exponent, three or two more digits. */
#pragma once

#include <warpfork/bfloat16/types.h>
#include <warpfork/half/types.h>

#define WARPFORK_FLOAT8 static __host__ __device__ inline

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;

/* What a number becomes that lies beyond the greatest one: infinity, and NaN where there is none, or the greatest. */
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

/* Rounded to nearest, ties to even; a NaN is PTX's. */
WARPFORK_FLOAT8 unsigned __warpfork_float8_bits(float value, __nv_saturation_t saturate,
                                                __nv_fp8_interpretation_t format) {
  const bool is_e4m3 = format == __NV_E4M3;
  const unsigned digits = is_e4m3 ? 3 : 2, greatest = is_e4m3 ? 0x7E : 0x7B;
  const unsigned least = is_e4m3 ? 121 : 113; /* the float's exponent of the least normal number, 2^-6 or 2^-14 */
  const unsigned bits = __warpfork_bits_of(value), sign = bits >> 24 & 0x80, magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) return 0x7F;
  const unsigned exponent = magnitude >> 23;
  const bool is_normal = exponent >= least;
  const unsigned whole = is_normal ? magnitude - ((least - 1) << 23) : (magnitude & 0x7FFFFF) | 0x800000;
  const unsigned dropped = 23 - digits + (is_normal ? 0 : least - exponent);
  if (dropped > 24) return sign; /* less than half of the least */
  const unsigned rest = whole & ((1u << dropped) - 1), middle = 1u << (dropped - 1);
  unsigned kept = whole >> dropped;
  kept += rest > middle || (rest == middle && (kept & 1) != 0);
  if (kept > greatest) kept = saturate == __NV_SATFINITE ? greatest : greatest + 1;
  return sign | kept;
}

/* Exact; a NaN is PTX's. */
WARPFORK_FLOAT8 unsigned short __warpfork_half_bits_of_float8(unsigned bits, __nv_fp8_interpretation_t format) {
  const bool is_e4m3 = format == __NV_E4M3;
  const unsigned sign = (bits & 0x80) << 8, magnitude = bits & 0x7F;
  if (magnitude > (is_e4m3 ? 0x7Eu : 0x7Cu)) return 0x7FFF;
  if (!is_e4m3) return static_cast<unsigned short>(sign | magnitude << 8);
  if (magnitude >= 8) return static_cast<unsigned short>(sign | ((magnitude << 7) + (8u << 10)));
  return static_cast<unsigned short>(sign | __warpfork_half_bits(static_cast<float>(magnitude) * (1.0f / 512)));
}
