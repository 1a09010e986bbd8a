/* sin and cos of multiples of pi (CUDA Math API, "sinpi" and "cospi"), whose reduction is exact: of r in [-1/4, 1/4] by
   their power series. Zeros have the sign that CUDA's have: of sinpi the argument's, of cospi none. Part of
   libdevice.h. */
#pragma once

#include <warpfork/math_f32.h>
#include <warpfork/math_f64.h>

WARPFORK_F32 warpfork_sinpi_polynomial(float r) {
  const float s = r * r;
  float p = 0.0821458846f;
  p = __builtin_fmaf(p, s, -0.599264503f);
  p = __builtin_fmaf(p, s, 2.55016398f);
  p = __builtin_fmaf(p, s, -5.16771269f);
  const float cube = __builtin_fmaf(s, r, 0.0f); /* +0 of -0, which then stays */
  return __builtin_fmaf(r, 3.14159274f, __builtin_fmaf(p, cube, r * -8.74227766e-08f));
}
WARPFORK_F32 warpfork_cospi_polynomial(float r) {
  const float s = r * r;
  float p = -0.0258068908f;
  p = __builtin_fmaf(p, s, 0.235330626f);
  p = __builtin_fmaf(p, s, -1.33526278f);
  p = __builtin_fmaf(p, s, 4.05871201f);
  p = __builtin_fmaf(p, s, -4.93480206f);
  return __builtin_fmaf(p, s, 1.0f);
}

WARPFORK_F64 warpfork_sinpi_polynomial_f64(double r) {
  const double s = r * r;
  double p = 7.9520540014755126e-07;
  p = __builtin_fma(p, s, -2.1915353447830217e-05);
  p = __builtin_fma(p, s, 0.00046630280576761255);
  p = __builtin_fma(p, s, -0.0073704309457143504);
  p = __builtin_fma(p, s, 0.082145886611128233);
  p = __builtin_fma(p, s, -0.59926452932079211);
  p = __builtin_fma(p, s, 2.5501640398773455);
  p = __builtin_fma(p, s, -5.1677127800499703);
  const double cube = __builtin_fma(s, r, 0.0); /* +0 of -0, which then stays */
  return __builtin_fma(r, 3.1415926535897931, __builtin_fma(p, cube, r * 1.2246467991473532e-16));
}
WARPFORK_F64 warpfork_cospi_polynomial_f64(double r) {
  const double s = r * r;
  double p = 4.3030695870329473e-06;
  p = __builtin_fma(p, s, -0.0001046381049248457);
  p = __builtin_fma(p, s, 0.0019295743094039231);
  p = __builtin_fma(p, s, -0.025806891390014061);
  p = __builtin_fma(p, s, 0.23533063035889321);
  p = __builtin_fma(p, s, -1.3352627688545895);
  p = __builtin_fma(p, s, 4.0587121264167685);
  p = __builtin_fma(p, s, -4.934802200544679);
  return __builtin_fma(p, s, 1.0);
}

#define WARPFORK_PI_FUNCTIONS(type, suffix, polynomial_suffix)                                                         \
  /* Of x / pi = whole / 2 + r. */                                                                                     \
  __device__ inline __attribute__((always_inline)) type warpfork_sine_of_halves##suffix(int whole, type r) {           \
    const type value =                                                                                                 \
        whole & 1 ? warpfork_cospi_polynomial##polynomial_suffix(r) : warpfork_sinpi_polynomial##polynomial_suffix(r); \
    return whole & 2 ? 0 - value : value;                                                                              \
  }                                                                                                                    \
  WARPFORK_NV_OF_LIBCLC type __nv_sinpi##suffix(type a) {                                                              \
    const type turn = a - 2 * __builtin_trunc##suffix(a * (type)0.5); /* exact, in (-2, 2) */                          \
    const type whole = __builtin_rint##suffix(2 * turn);                                                               \
    const type value = warpfork_sine_of_halves##suffix((int)whole, turn - whole * (type)0.5);                          \
    return value == 0 ? __builtin_copysign##suffix(0, a) : value;                                                      \
  }                                                                                                                    \
  WARPFORK_NV type __nv_cospi##suffix(type a) {                                                                        \
    const type turn = __builtin_fabs##suffix(a) - 2 * __builtin_trunc##suffix(__builtin_fabs##suffix(a) * (type)0.5);  \
    const type whole = __builtin_rint##suffix(2 * turn);                                                               \
    return warpfork_sine_of_halves##suffix((int)whole + 1, turn - whole * (type)0.5);                                  \
  }                                                                                                                    \
  WARPFORK_NV void __nv_sincospi##suffix(type a, type* sine, type* cosine) {                                           \
    *sine = __nv_sinpi##suffix(a);                                                                                     \
    *cosine = __nv_cospi##suffix(a);                                                                                   \
  }
WARPFORK_PI_FUNCTIONS(float, f, )
WARPFORK_PI_FUNCTIONS(double, , _f64)
#undef WARPFORK_PI_FUNCTIONS
