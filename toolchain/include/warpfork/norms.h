/* Euclidean norms without overflow or underflow on the way (CUDA Math API, "norm" and its like): everything is first
   divided by the power of two in the largest element. Part of libdevice.h. */
#pragma once

#define WARPFORK_NORMS(type, suffix, reciprocal_of_power)                                                           \
  __device__ static inline type warpfork_norm##suffix(int count, const type* elements) {                            \
    type largest = 0;                                                                                               \
    for (int i = 0; i < count; ++i) largest = __nv_fmax##suffix(largest, __builtin_fabs##suffix(elements[i]));      \
    if (largest == 0 || largest == __builtin_inf()) {                                                               \
      for (int i = 0; i < count && largest == 0; ++i) largest = elements[i] != elements[i] ? elements[i] : largest; \
      return largest;                                                                                               \
    }                                                                                                               \
    const type scale = reciprocal_of_power(largest);                                                                \
    type sum = 0;                                                                                                   \
    for (int i = 0; i < count; ++i) {                                                                               \
      const type scaled = elements[i] * scale;                                                                      \
      sum = __builtin_fma##suffix(scaled, scaled, sum);                                                             \
    }                                                                                                               \
    return __nv_sqrt##suffix(sum) / scale;                                                                          \
  }                                                                                                                 \
  WARPFORK_NV type __nv_norm##suffix(int count, const type* elements) {                                             \
    return warpfork_norm##suffix(count, elements);                                                                  \
  }                                                                                                                 \
  WARPFORK_NV type __nv_rnorm##suffix(int count, const type* elements) {                                            \
    return 1 / warpfork_norm##suffix(count, elements);                                                              \
  }                                                                                                                 \
  WARPFORK_NV type __nv_norm3d##suffix(type a, type b, type c) {                                                    \
    const type elements[3] = {a, b, c};                                                                             \
    return warpfork_norm##suffix(3, elements);                                                                      \
  }                                                                                                                 \
  WARPFORK_NV type __nv_norm4d##suffix(type a, type b, type c, type d) {                                            \
    const type elements[4] = {a, b, c, d};                                                                          \
    return warpfork_norm##suffix(4, elements);                                                                      \
  }                                                                                                                 \
  WARPFORK_NV type __nv_rnorm3d##suffix(type a, type b, type c) { return 1 / __nv_norm3d##suffix(a, b, c); }        \
  WARPFORK_NV type __nv_rnorm4d##suffix(type a, type b, type c, type d) { return 1 / __nv_norm4d##suffix(a, b, c, d); }
/* 2^-e of a number in [2^e, 2^(e+1)), but no more than the type can hold. */
__device__ static inline float warpfork_scale_f32(float a) {
  const int exponent = (__nvvm_bitcast_f2i(a) >> 23) - 127;
  return __nvvm_bitcast_i2f((127 - (exponent > 126 ? 126 : exponent)) << 23);
}
__device__ static inline double warpfork_scale_f64(double a) {
  const long long exponent = (__nvvm_bitcast_d2ll(a) >> 52) - 1023;
  return __nvvm_bitcast_ll2d((1023 - (exponent > 1022 ? 1022 : exponent)) << 52);
}
WARPFORK_NORMS(float, f, warpfork_scale_f32)
WARPFORK_NORMS(double, , warpfork_scale_f64)
#undef WARPFORK_NORMS
