/* Complex numbers for C and C++, as pairs (CUDA's cuComplex.h): cuCaddf() and its like for float, cuCadd() for double.
 */
#pragma once
#define CU_COMPLEX_H_ /* NVIDIA's guard, which programs ask for */

#include <float.h>
#include <math.h>
#include <vector_functions.h>

WARPFORK_LINES_OF_CALLERS

/* A quotient is scaled by the divisor's size, so that no square overflows, a magnitude by its larger part, as NVIDIA's
   are, for the sake of the last bits; so cuCfma() adds c first. */
#define WARPFORK_COMPLEX static __inline__ __host__ __device__
#define WARPFORK_COMPLEX_OF(type, pair, number, f, greatest)                                                \
  typedef pair type;                                                                                        \
  WARPFORK_COMPLEX type make_##type(number real, number imaginary) { return make_##pair(real, imaginary); } \
  WARPFORK_COMPLEX number cuCreal##f(type a) { return a.x; }                                                \
  WARPFORK_COMPLEX number cuCimag##f(type a) { return a.y; }                                                \
  WARPFORK_COMPLEX type cuConj##f(type a) { return make_##pair(a.x, -a.y); }                                \
  WARPFORK_COMPLEX type cuCadd##f(type a, type b) { return make_##pair(a.x + b.x, a.y + b.y); }             \
  WARPFORK_COMPLEX type cuCsub##f(type a, type b) { return make_##pair(a.x - b.x, a.y - b.y); }             \
  WARPFORK_COMPLEX type cuCmul##f(type a, type b) {                                                         \
    return make_##pair(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                       \
  }                                                                                                         \
  WARPFORK_COMPLEX type cuCdiv##f(type a, type b) {                                                         \
    const number scale = 1 / (fabs##f(b.x) + fabs##f(b.y));                                                 \
    const number ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                    \
    const number of_square = 1 / (bx * bx + by * by);                                                       \
    return make_##pair((ax * bx + ay * by) * of_square, (ay * bx - ax * by) * of_square);                   \
  }                                                                                                         \
  WARPFORK_COMPLEX number cuCabs##f(type a) {                                                               \
    const number x = fabs##f(a.x), y = fabs##f(a.y), larger = x > y ? x : y, smaller = x > y ? y : x;       \
    const number ratio = smaller / larger, magnitude = larger * sqrt##f(1 + ratio * ratio);                 \
    const number most = greatest; /* an infinity is above it */                                             \
    return larger == 0 || larger > most || smaller > most ? larger + smaller : magnitude;                   \
  }                                                                                                         \
  WARPFORK_COMPLEX type cuCfma##f(type a, type b, type c) {                                                 \
    return make_##pair(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);                           \
  }
WARPFORK_COMPLEX_OF(cuFloatComplex, float2, float, f, FLT_MAX)
WARPFORK_COMPLEX_OF(cuDoubleComplex, double2, double, , DBL_MAX)
#undef WARPFORK_COMPLEX_OF

typedef cuFloatComplex cuComplex;
WARPFORK_COMPLEX cuComplex make_cuComplex(float real, float imaginary) { return make_float2(real, imaginary); }
WARPFORK_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return make_double2(a.x, a.y); }
WARPFORK_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_float2((float)a.x, (float)a.y);
}
#undef WARPFORK_COMPLEX
WARPFORK_LINES_OF_FUNCTIONS
