/* Two numbers as a type. What is constructed saturates. */
#pragma once

#include <warpfork/float8/conversions.h>

WARPFORK_FLOAT8 float2 __warpfork_floats_of_float8x2(__nv_fp8x2_storage_t pair, __nv_fp8_interpretation_t format) {
  const __half2_raw halves = __nv_cvt_fp8x2_to_halfraw2(pair, format);
  return make_float2(__warpfork_half_value(halves.x), __warpfork_half_value(halves.y));
}

#define WARPFORK_FLOAT8_FROM(name, type, format, convert) \
  explicit __host__ __device__ name(type given) : __x(convert(given, __NV_SATFINITE, format)) {}
#define WARPFORK_FLOAT8_PAIR(name, format)                                                                      \
  struct name {                                                                                                 \
    name() = default;                                                                                           \
    WARPFORK_FLOAT8_FROM(name, __half2, format, __nv_cvt_halfraw2_to_fp8x2)                                     \
    WARPFORK_FLOAT8_FROM(name, __nv_bfloat162, format, __nv_cvt_bfloat16raw2_to_fp8x2)                          \
    WARPFORK_FLOAT8_FROM(name, float2, format, __nv_cvt_float2_to_fp8x2)                                        \
    WARPFORK_FLOAT8_FROM(name, double2, format, __nv_cvt_double2_to_fp8x2)                                      \
    explicit __host__ __device__ operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, format); }   \
    explicit __host__ __device__ operator float2() const { return __warpfork_floats_of_float8x2(__x, format); } \
                                                                                                                \
    __nv_fp8x2_storage_t __x;                                                                                   \
  };
WARPFORK_FLOAT8_PAIR(__nv_fp8x2_e4m3, __NV_E4M3)
WARPFORK_FLOAT8_PAIR(__nv_fp8x2_e5m2, __NV_E5M2)
#undef WARPFORK_FLOAT8_PAIR
#undef WARPFORK_FLOAT8_FROM
