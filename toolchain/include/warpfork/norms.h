/* Euclidean norms without overflow or underflow on the way (CUDA Math API, "norm" and its like): everything is first
   divided by the power of two in the largest element. Their reciprocals are of the sum of squares with what its
   rounding lost. Part of libdevice.h. */
#pragma once

#define WARPFORK_NORMS(type, suffix, reciprocal_of_power)                                                             \
  /* Of the magnitudes; 0 if none is a number. */                                                                     \
  __device__ static inline type warpfork_largest##suffix(int count, const type* elements) {                           \
    type largest = 0;                                                                                                 \
    for (int i = 0; i < count; ++i) largest = __nv_fmax##suffix(largest, __builtin_fabs##suffix(elements[i]));        \
    return largest;                                                                                                   \
  }                                                                                                                   \
  __device__ static inline type warpfork_norm##suffix(int count, const type* elements) {                              \
    const type largest = warpfork_largest##suffix(count, elements);                                                   \
    if (largest == 0 || largest == __builtin_inf()) {                                                                 \
      for (int i = 0; i < count && largest == 0; ++i)                                                                 \
        if (elements[i] != elements[i]) return elements[i];                                                           \
      return largest;                                                                                                 \
    }                                                                                                                 \
    const type scale = reciprocal_of_power(largest);                                                                  \
    type sum = 0;                                                                                                     \
    for (int i = 0; i < count; ++i) {                                                                                 \
      const type scaled = elements[i] * scale;                                                                        \
      sum = __builtin_fma##suffix(scaled, scaled, sum);                                                               \
    }                                                                                                                 \
    return __nv_sqrt##suffix(sum) / scale;                                                                            \
  }                                                                                                                   \
  __device__ static inline type warpfork_rnorm##suffix(int count, const type* elements) {                             \
    const type largest = warpfork_largest##suffix(count, elements);                                                   \
    if (largest == 0 || largest == __builtin_inf()) return 1 / warpfork_norm##suffix(count, elements);                \
    const type scale = reciprocal_of_power(largest);                                                                  \
    type sum = 0, lost = 0;                                                                                           \
    for (int i = 0; i < count; ++i) {                                                                                 \
      const type scaled = elements[i] * scale, square = scaled * scaled, before = sum;                                \
      sum = before + square;                                                                                          \
      const type added = sum - before;                                                                                \
      lost += (before - (sum - added)) + (square - added) + __builtin_fma##suffix(scaled, scaled, -square);           \
    }                                                                                                                 \
    const type near = 1 / __nv_sqrt##suffix(sum), product = sum * near;                                               \
    const type rest =                                                                                                 \
        __builtin_fma##suffix(-product, near, 1) - near * (__builtin_fma##suffix(sum, near, -product) + lost * near); \
    return __builtin_fma##suffix((type)0.5 * near, rest, near) * scale;                                               \
  }                                                                                                                   \
  WARPFORK_NV type __nv_norm##suffix(int count, const type* elements) {                                               \
    return warpfork_norm##suffix(count, elements);                                                                    \
  }                                                                                                                   \
  WARPFORK_NV type __nv_rnorm##suffix(int count, const type* elements) {                                              \
    return warpfork_rnorm##suffix(count, elements);                                                                   \
  }                                                                                                                   \
  WARPFORK_NV type __nv_norm3d##suffix(type a, type b, type c) {                                                      \
    const type elements[3] = {a, b, c};                                                                               \
    return warpfork_norm##suffix(3, elements);                                                                        \
  }                                                                                                                   \
  WARPFORK_NV type __nv_norm4d##suffix(type a, type b, type c, type d) {                                              \
    const type elements[4] = {a, b, c, d};                                                                            \
    return warpfork_norm##suffix(4, elements);                                                                        \
  }                                                                                                                   \
  WARPFORK_NV type __nv_rnorm3d##suffix(type a, type b, type c) {                                                     \
    const type elements[3] = {a, b, c};                                                                               \
    return warpfork_rnorm##suffix(3, elements);                                                                       \
  }                                                                                                                   \
  WARPFORK_NV type __nv_rnorm4d##suffix(type a, type b, type c, type d) {                                             \
    const type elements[4] = {a, b, c, d};                                                                            \
    return warpfork_rnorm##suffix(4, elements);                                                                       \
  }                                                                                                                   \
  WARPFORK_NV type __nv_rhypot##suffix(type a, type b) {                                                              \
    const type elements[2] = {a, b};                                                                                  \
    return warpfork_rnorm##suffix(2, elements);                                                                       \
  }
/* 2^-e of a number in [2^e, 2^(e+1)), but no more than the type can hold. */
__device__ static inline float warpfork_scale_f32(float a) {
  const int exponent = (__builtin_bit_cast(int, a) >> 23) - 127;
  return __builtin_bit_cast(float, (127 - (exponent > 126 ? 126 : exponent)) << 23);
}
__device__ static inline double warpfork_scale_f64(double a) {
  const long long exponent = (__builtin_bit_cast(long long, a) >> 52) - 1023;
  return __builtin_bit_cast(double, (1023 - (exponent > 1022 ? 1022 : exponent)) << 52);
}
WARPFORK_NORMS(float, f, warpfork_scale_f32)
WARPFORK_NORMS(double, , warpfork_scale_f64)
#undef WARPFORK_NORMS
