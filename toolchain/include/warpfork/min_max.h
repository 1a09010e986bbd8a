/* min and max without a namespace for host code; for device code clang has them (CUDA C++ Programming Guide,
 * "Mathematical Functions"). */
#pragma once

#define WARPFORK_MIN_MAX(type)                                                                             \
  static __host__ inline __attribute__((always_inline)) type min(type a, type b) { return a < b ? a : b; } \
  static __host__ inline __attribute__((always_inline)) type max(type a, type b) { return a > b ? a : b; }
WARPFORK_MIN_MAX(int)
WARPFORK_MIN_MAX(unsigned)
WARPFORK_MIN_MAX(long)
WARPFORK_MIN_MAX(unsigned long)
WARPFORK_MIN_MAX(long long)
WARPFORK_MIN_MAX(unsigned long long)
#undef WARPFORK_MIN_MAX

/* Of floating-point numbers a NaN loses against a number. Mixed operands become double, or unsigned, as in C. */
static __host__ inline __attribute__((always_inline)) float min(float a, float b) { return __builtin_fminf(a, b); }
static __host__ inline __attribute__((always_inline)) float max(float a, float b) { return __builtin_fmaxf(a, b); }
static __host__ inline __attribute__((always_inline)) double min(double a, double b) { return __builtin_fmin(a, b); }
static __host__ inline __attribute__((always_inline)) double max(double a, double b) { return __builtin_fmax(a, b); }
static __host__ inline __attribute__((always_inline)) double min(float a, double b) { return min((double)a, b); }
static __host__ inline __attribute__((always_inline)) double max(float a, double b) { return max((double)a, b); }
static __host__ inline __attribute__((always_inline)) double min(double a, float b) { return min(a, (double)b); }
static __host__ inline __attribute__((always_inline)) double max(double a, float b) { return max(a, (double)b); }
static __host__ inline unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
static __host__ inline unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
static __host__ inline unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
static __host__ inline unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
