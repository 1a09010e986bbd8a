/* Four numbers as a type, the first in the lowest byte. What is constructed saturates. */
#pragma once

#include <warpfork/float8/pairs.h>

#define WARPFORK_FLOAT8_FOUR(name, pair, format)                                                                \
  struct name {                                                                                                 \
    name() = default;                                                                                           \
    explicit __host__ __device__ name(__half2 low, __half2 high) : name(pair(low), pair(high)) {}               \
    explicit __host__ __device__ name(__nv_bfloat162 low, __nv_bfloat162 high) : name(pair(low), pair(high)) {} \
    explicit __host__ __device__ name(float4 given)                                                             \
        : name(pair(make_float2(given.x, given.y)), pair(make_float2(given.z, given.w))) {}                     \
    explicit __host__ __device__ name(double4 given)                                                            \
        : name(pair(make_double2(given.x, given.y)), pair(make_double2(given.z, given.w))) {}                   \
    explicit __host__ __device__ operator float4() const {                                                      \
      const float2 low = __warpfork_floats_of_float8x2(static_cast<__nv_fp8x2_storage_t>(__x), format);         \
      const float2 high = __warpfork_floats_of_float8x2(static_cast<__nv_fp8x2_storage_t>(__x >> 16), format);  \
      return make_float4(low.x, low.y, high.x, high.y);                                                         \
    }                                                                                                           \
                                                                                                                \
    __nv_fp8x4_storage_t __x;                                                                                   \
                                                                                                                \
   private:                                                                                                     \
    __host__ __device__ name(pair low, pair high)                                                               \
        : __x(low.__x | static_cast<__nv_fp8x4_storage_t>(high.__x) << 16) {}                                   \
  };
WARPFORK_FLOAT8_FOUR(__nv_fp8x4_e4m3, __nv_fp8x2_e4m3, __NV_E4M3)
WARPFORK_FLOAT8_FOUR(__nv_fp8x4_e5m2, __nv_fp8x2_e5m2, __NV_E5M2)
#undef WARPFORK_FLOAT8_FOUR
