/* Bessel functions of whole orders (DLMF, chapter 10), in double precision: of J and Y the error is below 1e-15, or as
   much of their value if that is larger; jn and yn lose a unit in the last place an order. Of I it is 16 units in the
   last place. Those of single precision are computed in double precision and rounded. Part of libdevice.h. */
#pragma once

#include <warpfork/special_functions.h>

struct warpfork_bessel {
  double j0, j1, y0, y1;
};

/* Of x < 1, by the power series 10.2.2 and 10.8.1. */
__device__ static __attribute__((noinline)) warpfork_bessel warpfork_bessel_small(double x) {
  const double quarter = -0.25 * x * x;
  double term0 = 1.0, term1 = 0.5 * x, harmonic = 0.0; /* H_k, the sum of 1/1 ... 1/k */
  warpfork_bessel sum = {1.0, term1, 0.0, 0.5 * term1};
  for (int k = 1; k < 10; ++k) {
    term0 *= quarter / (k * k);
    term1 *= quarter / (k * (k + 1));
    harmonic += 1.0 / k;
    sum.j0 += term0;
    sum.j1 += term1;
    sum.y0 -= term0 * harmonic;
    sum.y1 += term1 * (harmonic + 0.5 / (k + 1));
  }
  const double two_over_pi = 0.63661977236758138,
               log = warpfork_cl_log(x) - 0.11593151565841245; /* of 2 less Euler's constant */
  sum.y0 = two_over_pi * (log * sum.j0 + sum.y0);
  sum.y1 = two_over_pi * (log * sum.j1 - sum.y1 - 1.0 / x);
  return sum;
}

/* Of x in [1, 25): backward recurrence (Miller's method, 3.6 and 10.74), and Neumann's series 10.23.15 of Y0, of which
 * Y1 is the derivative. */
__device__ static __attribute__((noinline)) warpfork_bessel warpfork_bessel_middle(double x) {
  double above = 0.0, here = 1e-290, even = 0.0, series0 = 0.0, series1 = 0.0;
  for (int k = 64; k > 0; --k) {
    const double sign = k & 2 ? -1.0 : 1.0;
    if (k & 1) {
      const int half = (k - 1) / 2;
      if (half > 0) series1 += sign * here * k / (half * (half + 1));
    } else {
      even += here;
      series0 += sign * here / (k / 2);
    }
    const double below = 2.0 * k / x * here - above;
    above = here;
    here = below;
  }
  const double scale = 1.0 / (here + 2.0 * even), j0 = here * scale, j1 = above * scale;
  const double two_over_pi = 0.63661977236758138,
               log = warpfork_cl_log(x) - 0.11593151565841245; /* of 2 less Euler's constant */
  return {j0, j1, two_over_pi * (log * j0 - 2.0 * series0 * scale),
          two_over_pi * ((log - 1.0) * j1 - j0 / x - series1 * scale)};
}

/* Of x >= 25, by Hankel's expansions 10.17.3 and 10.17.4. */
__device__ static __attribute__((noinline)) warpfork_bessel warpfork_bessel_large(double x) {
  const double r = 0.125 / x;
  double p[2] = {1.0, 1.0}, q[2] = {0.0, 0.0}, term[2] = {1.0, 1.0};
  for (int k = 1; k < 28; ++k) {
    const double odd = 2.0 * k - 1.0;
    for (int order = 0; order < 2; ++order) {
      term[order] *= (4.0 * order - odd * odd) * r / k;
      const double signed_term = k & 2 ? -term[order] : term[order];
      if (k & 1)
        q[order] += signed_term;
      else
        p[order] += signed_term;
    }
  }
  const double s = warpfork_sin(x), c = warpfork_cos(x), scale = __nvvm_sqrt_rn_d(0.31830988618379067 / x);
  const double sum = s + c, difference = s - c; /* sqrt(2) times the cosine and the sine of x - pi/4 */
  return {scale * (p[0] * sum - q[0] * difference), scale * (p[1] * difference + q[1] * sum),
          scale * (p[0] * difference + q[0] * sum), scale * (q[1] * difference - p[1] * sum)};
}

/* Of x > 0. */
__device__ static __attribute__((noinline)) warpfork_bessel warpfork_bessel_of(double x) {
  if (x == __builtin_inf()) return {0.0, 0.0, 0.0, 0.0};
  return x < 1.0 ? warpfork_bessel_small(x) : x < 25.0 ? warpfork_bessel_middle(x) : warpfork_bessel_large(x);
}

WARPFORK_SPECIAL(warpfork_j0(double x)) { return x == 0.0 ? 1.0 : warpfork_bessel_of(__builtin_fabs(x)).j0; }
WARPFORK_SPECIAL(warpfork_j1(double x)) {
  return x == 0.0 ? x : __builtin_copysign(1.0, x) * warpfork_bessel_of(__builtin_fabs(x)).j1;
}
WARPFORK_SPECIAL(warpfork_y0(double x)) {
  return x > 0.0 ? warpfork_bessel_of(x).y0 : x == 0.0 ? -__builtin_inf() : __builtin_nan("");
}
WARPFORK_SPECIAL(warpfork_y1(double x)) {
  return x > 0.0 ? warpfork_bessel_of(x).y1 : x == 0.0 ? -__builtin_inf() : __builtin_nan("");
}

/* Orders above x by backward recurrence, which grows; where it would overflow everything is made smaller. */
WARPFORK_SPECIAL(warpfork_jn_above(int n, double x)) {
  const int room = 30 + (int)__nvvm_sqrt_rn_d(60.0 * n);
  double above = 0.0, here = 1e-290, even = 0.0, result = 0.0;
  for (int k = (n + room) / 2 * 2; k > 0; --k) {
    if (k == n) result = here;
    if (!(k & 1)) even += here;
    const double below = 2.0 * k / x * here - above;
    above = here;
    here = below;
    if (__builtin_fabs(here) > 1e200) {
      here *= 1e-200;
      above *= 1e-200;
      even *= 1e-200;
      result *= 1e-200;
    }
  }
  return result / (here + 2.0 * even);
}

WARPFORK_SPECIAL(warpfork_jn(int n, double x)) {
  if (n < 0 || x != x) return __builtin_nan("");
  if (n == 0) return warpfork_j0(x);
  const double a = __builtin_fabs(x), sign = x < 0.0 && (n & 1) ? -1.0 : 1.0;
  if (a == 0.0 || a == __builtin_inf()) return 0.0;
  if (a < 1e-4 * n) { /* the first terms of 10.2.2; backward recurrence takes steps too large */
    double term = 1.0;
    for (int k = 1; k <= n && term != 0.0; ++k) term *= 0.5 * a / k;
    return sign * term * (1.0 - 0.25 * a * a / (n + 1));
  }
  if (n > a) return sign * warpfork_jn_above(n, a);
  const warpfork_bessel bessel = warpfork_bessel_of(a);
  double below = bessel.j0, here = bessel.j1;
  for (int k = 1; k < n; ++k) {
    const double above = 2.0 * k / a * here - below;
    below = here;
    here = above;
  }
  return sign * here;
}

WARPFORK_SPECIAL(warpfork_yn(int n, double x)) {
  if (n < 0 || !(x >= 0.0)) return __builtin_nan("");
  if (n == 0 || x == 0.0) return warpfork_y0(x);
  const warpfork_bessel bessel = warpfork_bessel_of(x);
  double below = bessel.y0, here = bessel.y1;
  for (int k = 1; k < n && here > -__builtin_inf(); ++k) {
    const double above = 2.0 * k / x * here - below;
    below = here;
    here = above;
  }
  return here;
}

/* The modified one of order 0 or 1, of x >= 0: power series 10.25.2, from 20 on 10.40.1. */
WARPFORK_SPECIAL(warpfork_cyl_bessel_i(int order, double x)) {
  double sum = 1.0, term = 1.0;
  if (x < 20.0) {
    const double quarter = 0.25 * x * x;
    for (int k = 1; k < 60 && term > 1e-18 * sum; ++k) {
      term *= quarter / (k * (k + order));
      sum += term;
    }
    return order == 0 ? sum : 0.5 * x * sum;
  }
  if (x == __builtin_inf()) return x;
  for (int k = 1; k < 40; ++k) {
    const double odd = 2.0 * k - 1.0;
    term *= (odd * odd - 4.0 * order) * 0.125 / (k * x);
    sum += term;
  }
  const double half = warpfork_cl_exp(0.5 * x); /* in two factors: e^x overflows before the function does */
  return half * (sum * __nvvm_sqrt_rn_d(0.15915494309189535 / x)) * half;
}
WARPFORK_SPECIAL(warpfork_cyl_bessel_i0(double x)) { return warpfork_cyl_bessel_i(0, __builtin_fabs(x)); }
WARPFORK_SPECIAL(warpfork_cyl_bessel_i1(double x)) {
  return __builtin_copysign(warpfork_cyl_bessel_i(1, __builtin_fabs(x)), x);
}

#define WARPFORK_BESSEL(name)                                             \
  WARPFORK_NV double __nv_##name(double a) { return warpfork_##name(a); } \
  WARPFORK_NV float __nv_##name##f(float a) { return (float)warpfork_##name(a); }
WARPFORK_BESSEL(j0)
WARPFORK_BESSEL(j1)
WARPFORK_BESSEL(y0)
WARPFORK_BESSEL(y1)
WARPFORK_BESSEL(cyl_bessel_i0)
WARPFORK_BESSEL(cyl_bessel_i1)
#undef WARPFORK_BESSEL
#define WARPFORK_BESSEL(name)                                                       \
  WARPFORK_NV double __nv_##name(int n, double a) { return warpfork_##name(n, a); } \
  WARPFORK_NV float __nv_##name##f(int n, float a) { return (float)warpfork_##name(n, a); }
WARPFORK_BESSEL(jn)
WARPFORK_BESSEL(yn)
#undef WARPFORK_BESSEL
