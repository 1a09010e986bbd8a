/* Functions about the gamma and the error function that libclc does not have, in double precision: to 10 units in the
   last place, the inverses of the error function to 6. Those of single precision are computed in double precision and
   rounded. Part of libdevice.h. */
#pragma once

#define WARPFORK_SPECIAL(parameters) __device__ static __attribute__((noinline)) double parameters

/* 1 / gamma(1.5 + t) for t in [-1/2, 1/2], interpolated at Chebyshev nodes; the relative error is below 2^-55. */
WARPFORK_SPECIAL(warpfork_reciprocal_gamma(double t)) {
  const double coefficients[19] = {
      7.4467080853461818e-11,  -2.774234801358092e-10, -9.3130378791350185e-10, 1.7108134461096622e-08,
      -8.9135529417168872e-08, 5.7941368025281744e-08, 2.1562032935242509e-06,  -1.3896805511420642e-05,
      2.535520492351562e-05,   0.00015235762074721431, -0.0011107302545948735,  0.0021207314425741065,
      0.0066128978268241269,   -0.042155169368535639,  0.050966860247706074,    0.17510202604393457,
      -0.52665443552554447,    -0.041174526445283098,  1.1283791670955126};
  double p = coefficients[0];
#pragma unroll
  for (int i = 1; i < 19; ++i) p = __builtin_fma(p, t, coefficients[i]);
  return p;
}

/* Of x >= 20 by Stirling's series (DLMF 5.11.1), divided by `power`, that x^(x-1/2) does not overflow before gamma
   does: the result times `power` is gamma(x). */
WARPFORK_SPECIAL(warpfork_stirling(double x, double* power)) {
  const double r = 1.0 / x, s = r * r;
  double p = -691.0 / 360360;
  p = __builtin_fma(p, s, 1.0 / 1188);
  p = __builtin_fma(p, s, -1.0 / 1680);
  p = __builtin_fma(p, s, 1.0 / 1260);
  p = __builtin_fma(p, s, -1.0 / 360);
  p = __builtin_fma(p, s, 1.0 / 12);
  *power = warpfork_cl_pow(x, __builtin_fma(0.5, x, -0.25));
  return 2.5066282746310002 /* sqrt(2 pi) */ * warpfork_cl_exp(p * r) * (*power * warpfork_cl_exp(-x));
}

/* Of x in (0, 20): gamma(x + 1) = x gamma(x) leads to [1, 2]. */
WARPFORK_SPECIAL(warpfork_small_gamma(double x)) {
  double product = 1.0;
  for (; x >= 2.0; product *= x) x -= 1.0;
  return x < 1.0 ? 1.0 / (x * warpfork_reciprocal_gamma(x - 0.5)) : product / warpfork_reciprocal_gamma(x - 1.5);
}

WARPFORK_SPECIAL(warpfork_tgamma(double x)) {
  if (__builtin_fabs(x) < 0x1p-54) return 1.0 / x;
  double power = 1.0;
  if (x > 0.0) {
    if (x == __builtin_inf() || x > 172.0) return __builtin_inf();
    const double part = x < 20.0 ? warpfork_small_gamma(x) : warpfork_stirling(x, &power);
    return part * power;
  }
  if (x != x) return x;
  if (x == __builtin_trunc(x)) return __builtin_nan(""); /* the poles and -infinity */
  if (x < -185.0) return __builtin_fmod(__builtin_ceil(x), 2.0) != 0.0 ? 0.0 : -0.0;
  const double part = x > -20.0 ? warpfork_small_gamma(-x) : warpfork_stirling(-x, &power);
  return -3.1415926535897931 / (x * warpfork_cl_sinpi(x) * part) / power; /* DLMF 5.5.3 */
}

/* Near the y with erf(y) = x and erfc(y) = q: the first terms of its asymptotic expansion (DLMF 7.17.6), or Winitzki's
   approximation (2008). */
WARPFORK_SPECIAL(warpfork_near_inverse_error(double x, double q)) {
  if (q < 0.02) {
    const double log = -warpfork_cl_log(q);
    return __nvvm_sqrt_rn_d(log - 0.5 * warpfork_cl_log(3.1415926535897931 * log));
  }
  if (x < 1e-3) return 0.88622692545275801 * x; /* sqrt(pi) / 2 */
  const double log = warpfork_cl_log(q * (1.0 + x));
  const double t = 4.3307467508 + 0.5 * log; /* 2 / (pi a) of a = 0.147 */
  return __nvvm_sqrt_rn_d(__nvvm_sqrt_rn_d(t * t - log / 0.147) - t);
}

WARPFORK_SPECIAL(warpfork_erfcx(double x));

/* That y by Halley's method; of x and q = 1 - x the smaller one is to be exact. Where q nears the subnormal numbers, of
   which erfc(y) has few digits, by Newton's method for the logarithms. */
WARPFORK_SPECIAL(warpfork_inverse_error(double x, double q)) {
  double y = warpfork_near_inverse_error(x, q);
  if (q < 1e-290) {
    for (int i = 0; i < 3; ++i) {
      const double erfcx = warpfork_erfcx(y);
      y += (__builtin_fma(-y, y, warpfork_cl_log(erfcx)) - warpfork_cl_log(q)) * 0.88622692545275801 * erfcx;
    }
    return y;
  }
  for (int i = 0; i < 3; ++i) {
    const double slope = 1.1283791670955126 * warpfork_cl_exp(-y * y); /* 2 / sqrt(pi) */
    const double step = (q < x ? q - warpfork_cl_erfc(y) : warpfork_cl_erf(y) - x) / slope;
    y -= step / __builtin_fma(y, step, 1.0);
  }
  return y;
}

WARPFORK_SPECIAL(warpfork_erfinv(double x)) {
  const double a = __builtin_fabs(x);
  if (!(a < 1.0)) return a == 1.0 ? x * __builtin_inf() : __builtin_nan("");
  if (a < 1e-8) return 0.88622692545275801 * x; /* sqrt(pi) / 2 */
  return __builtin_copysign(warpfork_inverse_error(a, 1.0 - a), x);
}

WARPFORK_SPECIAL(warpfork_erfcinv(double q)) {
  if (!(q > 0.0 && q < 2.0)) return q == 0.0 ? __builtin_inf() : q == 2.0 ? -__builtin_inf() : __builtin_nan("");
  if (q > 0.5 && q < 1.5) return warpfork_erfinv(1.0 - q);
  return q < 1.0 ? warpfork_inverse_error(1.0 - q, q) : -warpfork_inverse_error(q - 1.0, 2.0 - q);
}

/* exp(x^2) erfc(x), from 10 on by its asymptotic series (DLMF 7.12.1). */
WARPFORK_SPECIAL(warpfork_erfcx(double x)) {
  if (x < 10.0) {
    const double square = x * x, rest = __builtin_fma(x, x, -square);
    const double exponential = warpfork_cl_exp(square);
    return x < -26.64 ? __builtin_inf() : __builtin_fma(exponential, rest, exponential) * warpfork_cl_erfc(x);
  }
  const double r = 0.56418958354775628 / x, s = 0.5 / x / x; /* 1 / sqrt(pi) */
  double sum = 1.0;
  for (int n = 13; n > 0; --n) sum = __builtin_fma(-(2.0 * n - 1.0) * s, sum, 1.0);
  return x != x ? x : r * sum;
}

#define WARPFORK_SPECIAL_BOTH(name)                                       \
  WARPFORK_NV double __nv_##name(double a) { return warpfork_##name(a); } \
  WARPFORK_NV float __nv_##name##f(float a) { return (float)warpfork_##name(a); }
WARPFORK_SPECIAL_BOTH(tgamma)
WARPFORK_SPECIAL_BOTH(erfinv)
WARPFORK_SPECIAL_BOTH(erfcinv)
WARPFORK_SPECIAL_BOTH(erfcx)
WARPFORK_NV double __nv_normcdfinv(double a) { return 0.0 - 1.4142135623730951 * warpfork_erfcinv(2.0 * a); }
WARPFORK_NV float __nv_normcdfinvf(float a) { return (float)__nv_normcdfinv(a); }
#undef WARPFORK_SPECIAL_BOTH
