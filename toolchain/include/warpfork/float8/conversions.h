/* The functions that convert bits. Of a pair the first number has the lower byte. */
#pragma once

#include <warpfork/float8/bits.h>

/* What the instructions of sm_89 cannot, as they only saturate. */
WARPFORK_FLOAT8 __nv_fp8x2_storage_t __warpfork_float8x2_bits(float2 pair, __nv_saturation_t saturate,
                                                              __nv_fp8_interpretation_t format) {
  return static_cast<__nv_fp8x2_storage_t>(__warpfork_float8_bits(pair.y, saturate, format) << 8 |
                                           __warpfork_float8_bits(pair.x, saturate, format));
}

WARPFORK_FLOAT8 __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 pair, __nv_saturation_t saturate,
                                                              __nv_fp8_interpretation_t format) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  if (saturate == __NV_SATFINITE) {
    unsigned short bits;
    if (format == __NV_E4M3)
      asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(bits) : "f"(pair.y), "f"(pair.x));
    else
      asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(bits) : "f"(pair.y), "f"(pair.x));
    return bits;
  }
#endif
  return __warpfork_float8x2_bits(pair, saturate, format);
}
WARPFORK_FLOAT8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t format) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  return static_cast<__nv_fp8_storage_t>(__nv_cvt_float2_to_fp8x2(make_float2(value, 0), saturate, format));
#else
  return static_cast<__nv_fp8_storage_t>(__warpfork_float8_bits(value, saturate, format));
#endif
}

/* Halves and bfloat16s are floats, too. */
WARPFORK_FLOAT8 __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw pair, __nv_saturation_t saturate,
                                                                __nv_fp8_interpretation_t format) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  if (saturate == __NV_SATFINITE) {
    unsigned short bits;
    if (format == __NV_E4M3)
      asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(bits) : "r"(__warpfork_word_of(pair)));
    else
      asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(bits) : "r"(__warpfork_word_of(pair)));
    return bits;
  }
#endif
  const float2 floats = make_float2(__warpfork_half_value(pair.x), __warpfork_half_value(pair.y));
  return __warpfork_float8x2_bits(floats, saturate, format);
}
WARPFORK_FLOAT8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw value, __nv_saturation_t saturate,
                                                           __nv_fp8_interpretation_t format) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  return static_cast<__nv_fp8_storage_t>(__nv_cvt_halfraw2_to_fp8x2(__half2_raw{value.x, 0}, saturate, format));
#else
  return __nv_cvt_float_to_fp8(__warpfork_half_value(value.x), saturate, format);
#endif
}
WARPFORK_FLOAT8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw value, __nv_saturation_t saturate,
                                                               __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8(__warpfork_bfloat16_value(value.x), saturate, format);
}
WARPFORK_FLOAT8 __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw pair, __nv_saturation_t saturate,
                                                                    __nv_fp8_interpretation_t format) {
  const float2 floats = make_float2(__warpfork_bfloat16_value(pair.x), __warpfork_bfloat16_value(pair.y));
  return __nv_cvt_float2_to_fp8x2(floats, saturate, format);
}

/* A double is none, but one next to it rounds as it does. */
WARPFORK_FLOAT8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturate,
                                                          __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8(__warpfork_odd_float(value), saturate, format);
}
WARPFORK_FLOAT8 __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 pair, __nv_saturation_t saturate,
                                                               __nv_fp8_interpretation_t format) {
  const float2 floats = make_float2(__warpfork_odd_float(pair.x), __warpfork_odd_float(pair.y));
  return __nv_cvt_float2_to_fp8x2(floats, saturate, format);
}

WARPFORK_FLOAT8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t pair, __nv_fp8_interpretation_t format) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  unsigned bits;
  if (format == __NV_E4M3)
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(bits) : "h"(pair));
  else
    asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(bits) : "h"(pair));
  return __warpfork_pair_of(bits);
#else
  return __half2_raw{__warpfork_half_bits_of_float8(pair & 0xFF, format),
                     __warpfork_half_bits_of_float8(pair >> 8, format)};
#endif
}
WARPFORK_FLOAT8 __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t format) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  return __half_raw{__nv_cvt_fp8x2_to_halfraw2(bits, format).x};
#else
  return __half_raw{__warpfork_half_bits_of_float8(bits, format)};
#endif
}
