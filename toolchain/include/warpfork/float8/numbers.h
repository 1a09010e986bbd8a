/* One number as a type. What is constructed saturates. As an integer it loses its fraction, and becomes the nearest
   that the type has; NaN is zero, and the top bit alone in 64 bits. */
#pragma once

#include <warpfork/bfloat16/conversions.h>
#include <warpfork/float8/conversions.h>

/* No integer that is not beyond the greatest number loses digits as a float. */
#define WARPFORK_FLOAT8_FROM(name, type, format, convert, value) \
  explicit __host__ __device__ name(type given) : __x(convert(value, __NV_SATFINITE, format)) {}
#define WARPFORK_FLOAT8_FROM_INTEGER(name, type, format) \
  WARPFORK_FLOAT8_FROM(name, type, format, __nv_cvt_float_to_fp8, static_cast<float>(given))
#define WARPFORK_FLOAT8_TO_INTEGER(type) \
  explicit __host__ __device__ operator type() const { return __warpfork_integer_of<type>(static_cast<float>(*this)); }

#define WARPFORK_FLOAT8_NUMBER(name, format)                                                                         \
  struct name {                                                                                                      \
    name() = default;                                                                                                \
    WARPFORK_FLOAT8_FROM(name, __half, format, __nv_cvt_halfraw_to_fp8, given)                                       \
    WARPFORK_FLOAT8_FROM(name, __nv_bfloat16, format, __nv_cvt_bfloat16raw_to_fp8, given)                            \
    WARPFORK_FLOAT8_FROM(name, float, format, __nv_cvt_float_to_fp8, given)                                          \
    WARPFORK_FLOAT8_FROM(name, double, format, __nv_cvt_double_to_fp8, given)                                        \
    WARPFORK_FLOAT8_FROM_INTEGER(name, short, format)                                                                \
    WARPFORK_FLOAT8_FROM_INTEGER(name, unsigned short, format)                                                       \
    WARPFORK_FLOAT8_FROM_INTEGER(name, int, format)                                                                  \
    WARPFORK_FLOAT8_FROM_INTEGER(name, unsigned, format)                                                             \
    WARPFORK_FLOAT8_FROM_INTEGER(name, long, format)                                                                 \
    WARPFORK_FLOAT8_FROM_INTEGER(name, unsigned long, format)                                                        \
    WARPFORK_FLOAT8_FROM_INTEGER(name, long long, format)                                                            \
    WARPFORK_FLOAT8_FROM_INTEGER(name, unsigned long long, format)                                                   \
    explicit __host__ __device__ operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, format); }            \
    explicit __host__ __device__ operator float() const {                                                            \
      return __warpfork_half_value(__nv_cvt_fp8_to_halfraw(__x, format).x);                                          \
    }                                                                                                                \
    explicit __host__ __device__ operator double() const { return static_cast<float>(*this); }                       \
    explicit __host__ __device__ operator __nv_bfloat16() const { return __nv_bfloat16(static_cast<float>(*this)); } \
    explicit __host__ __device__ operator bool() const { return (__x & 0x7F) != 0; }                                 \
    WARPFORK_FLOAT8_TO_INTEGER(char)                                                                                 \
    WARPFORK_FLOAT8_TO_INTEGER(signed char)                                                                          \
    WARPFORK_FLOAT8_TO_INTEGER(unsigned char)                                                                        \
    WARPFORK_FLOAT8_TO_INTEGER(short)                                                                                \
    WARPFORK_FLOAT8_TO_INTEGER(unsigned short)                                                                       \
    WARPFORK_FLOAT8_TO_INTEGER(int)                                                                                  \
    WARPFORK_FLOAT8_TO_INTEGER(unsigned)                                                                             \
    WARPFORK_FLOAT8_TO_INTEGER(long)                                                                                 \
    WARPFORK_FLOAT8_TO_INTEGER(unsigned long)                                                                        \
    WARPFORK_FLOAT8_TO_INTEGER(long long)                                                                            \
    WARPFORK_FLOAT8_TO_INTEGER(unsigned long long)                                                                   \
                                                                                                                     \
    __nv_fp8_storage_t __x;                                                                                          \
  };
WARPFORK_FLOAT8_NUMBER(__nv_fp8_e4m3, __NV_E4M3)
WARPFORK_FLOAT8_NUMBER(__nv_fp8_e5m2, __NV_E5M2)
#undef WARPFORK_FLOAT8_NUMBER
#undef WARPFORK_FLOAT8_TO_INTEGER
#undef WARPFORK_FLOAT8_FROM_INTEGER
#undef WARPFORK_FLOAT8_FROM
