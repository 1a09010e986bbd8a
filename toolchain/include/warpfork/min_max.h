/* min and max without a namespace, for host and device (CUDA C++ Programming Guide, "Mathematical Functions"). Mixed
   operands become unsigned or double, as C's arithmetic has it; of floating-point numbers a NaN loses. */
#pragma once

#define WARPFORK_MIN_MAX(target, a_type, b_type, result)                                           \
  static target inline __attribute__((always_inline)) result min(const a_type a, const b_type b) { \
    return (result)a < (result)b ? (result)a : (result)b;                                          \
  }                                                                                                \
  static target inline __attribute__((always_inline)) result max(const a_type a, const b_type b) { \
    return (result)a > (result)b ? (result)a : (result)b;                                          \
  }
#define WARPFORK_MIN_MAX_UNSIGNED(type)                                              \
  WARPFORK_MIN_MAX(__host__ __device__, unsigned type, unsigned type, unsigned type) \
  WARPFORK_MIN_MAX(__host__ __device__, type, unsigned type, unsigned type)          \
  WARPFORK_MIN_MAX(__host__ __device__, unsigned type, type, unsigned type)
WARPFORK_MIN_MAX(__host__, int, int, int) /* clang has it for the device */
WARPFORK_MIN_MAX(__host__ __device__, long, long, long)
WARPFORK_MIN_MAX(__host__ __device__, long long, long long, long long)
WARPFORK_MIN_MAX_UNSIGNED(int)
WARPFORK_MIN_MAX_UNSIGNED(long)
WARPFORK_MIN_MAX_UNSIGNED(long long)
#undef WARPFORK_MIN_MAX_UNSIGNED
#undef WARPFORK_MIN_MAX

#define WARPFORK_MIN_MAX(a_type, b_type, result, suffix)                                                        \
  static __host__ __device__ inline __attribute__((always_inline)) result min(const a_type a, const b_type b) { \
    return __builtin_fmin##suffix(a, b);                                                                        \
  }                                                                                                             \
  static __host__ __device__ inline __attribute__((always_inline)) result max(const a_type a, const b_type b) { \
    return __builtin_fmax##suffix(a, b);                                                                        \
  }
WARPFORK_MIN_MAX(float, float, float, f)
WARPFORK_MIN_MAX(double, double, double, )
WARPFORK_MIN_MAX(float, double, double, )
WARPFORK_MIN_MAX(double, float, double, )
#undef WARPFORK_MIN_MAX
