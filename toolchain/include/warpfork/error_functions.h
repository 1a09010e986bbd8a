/* What libclc's erfc, lgamma and cbrt lack of what CUDA promises: results that are subnormal, some special values, last
   digits of reciprocals. Part of libdevice.h. */
#pragma once

WARPFORK_NV float __nv_erfcf(float a) { /* from 9 on subnormal, which libclc makes 0 */
  return a > 9.0f ? (float)warpfork_cl_erfc((double)a) : warpfork_cl_erfcf(a);
}
WARPFORK_NV double __nv_erfc(double a) { return warpfork_cl_erfc(a); }

/* By erfc(z) of z = -a / sqrt(2) in two parts, as erfc falls by 2 z of its value a unit of z. */
#define WARPFORK_NORMCDF(type, suffix, high, low, most)                \
  WARPFORK_NV type __nv_normcdf##suffix(type a) {                      \
    const type z = a * -high;                                          \
    type twice = __nv_erfc##suffix(z);                                 \
    if (z > 1 && z < most) {                                           \
      const type rest = __builtin_fma##suffix(a, -high, -z) - a * low; \
      twice = __builtin_fma##suffix(-2 * z * rest, twice, twice);      \
    }                                                                  \
    return (type)0.5 * twice;                                          \
  }
WARPFORK_NORMCDF(float, f, 0.707106769f, 1.21016175e-8f, 20)
WARPFORK_NORMCDF(double, , 0.70710678118654757, -4.8336466567264567e-17, 40)
#undef WARPFORK_NORMCDF

/* Infinite at -infinity; near 0 it is -log |a|. */
#define WARPFORK_LGAMMA(type, suffix)                                                                \
  WARPFORK_NV type __nv_lgamma##suffix(type a) {                                                     \
    const type magnitude = __builtin_fabs##suffix(a);                                                \
    if (magnitude == __builtin_inf()) return magnitude;                                              \
    return magnitude < (type)0x1p-60 ? -__nv_log##suffix(magnitude) : warpfork_cl_lgamma##suffix(a); \
  }
WARPFORK_LGAMMA(float, f)
WARPFORK_LGAMMA(double, )
#undef WARPFORK_LGAMMA

/* One step of Newton's method, a r^3 taken with what its roundings lose. */
#define WARPFORK_RCBRT(type, suffix)                                                                   \
  WARPFORK_NV type __nv_rcbrt##suffix(type a) {                                                        \
    const type r = 1 / __nv_cbrt##suffix(a);                                                           \
    if (r == 0 || !(__builtin_fabs##suffix(r) < __builtin_inf())) return r;                            \
    const type once = a * r, twice = once * r;                                                         \
    const type lost = __builtin_fma##suffix(once, r, -twice) + __builtin_fma##suffix(a, r, -once) * r; \
    const type rest = __builtin_fma##suffix(-twice, r, 1) - lost * r;                                  \
    return __builtin_fma##suffix(r * rest, (type)(1.0 / 3), r);                                        \
  }
WARPFORK_RCBRT(float, f)
WARPFORK_RCBRT(double, )
#undef WARPFORK_RCBRT
