/* Trigonometric and hyperbolic functions in double precision, to a few units in the last place. (Those of libclc read
   past the end of their tables for some arguments, which the simulator rightly reports.) */
#pragma once

#include <warpfork/open_cl_math.h>

#define WARPFORK_F64 __device__ inline __attribute__((always_inline)) double

/* An angle as quadrant * pi/2 + rest, |rest| <= pi/4. */
struct warpfork_angle_f64 {
  int quadrant;
  double rest;
};

/* The first 1216 bits of 2/pi, the highest word first. */
__device__ static const unsigned warpfork_two_over_pi[38] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

/* Payne and Hanek's method: the mantissa times those 224 bits of 2/pi that decide the product modulo 4; of it the two
   bits above and the 128 below the binary point. */
__device__ static __attribute__((noinline)) warpfork_angle_f64 warpfork_reduce_large_f64(double x) {
  const unsigned long long bits = (unsigned long long)__builtin_bit_cast(long long, x);
  const unsigned long long mantissa = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
  const int exponent = (int)((bits >> 52) & 0x7ff) - 1023;
  const int first = exponent < 54 ? 0 : (exponent - 54) / 32; /* the words above are multiples of 4 */
  unsigned product[10] = {};
  for (int half = 0; half < 2; ++half) {
    const unsigned factor = (unsigned)(mantissa >> (32 * half));
    unsigned long long carry = 0;
    for (int i = 0; i < 7; ++i) {
      carry += (unsigned long long)factor * warpfork_two_over_pi[first + 6 - i] + product[i + half];
      product[i + half] = (unsigned)carry;
      carry >>= 32;
    }
    product[7 + half] = (unsigned)carry;
  }
  const int point = 32 * (first + 7) + 52 - exponent; /* the product's bit of weight one */
  const int word = point / 32, shift = point % 32;
  const unsigned long long above = ((unsigned long long)product[word + 1] << 32) | product[word];
  unsigned fraction[4]; /* the highest first */
  for (int i = 0; i < 4; ++i) {
    const unsigned long long pair = ((unsigned long long)product[word - i] << 32) | product[word - i - 1];
    fraction[i] = (unsigned)(pair >> shift);
  }
  unsigned long long high = ((unsigned long long)fraction[0] << 32) | fraction[1];
  unsigned long long low = ((unsigned long long)fraction[2] << 32) | fraction[3];
  const int up = (long long)high < 0; /* at least one half: the next quadrant, from below */
  if (up) {
    low = 0 - low;
    high = ~high + (low == 0);
  }
  /* pi/2 * 2^-64 in two parts, times the fraction in two parts */
  const double coarse = (double)(high & ~0x7ffull), fine = (double)(high & 0x7ff) + (double)low * 0x1p-64;
  const double scaled = coarse * 0x1.921fb54442d18p-64;
  const double rounding = __builtin_fma(coarse, 0x1.921fb54442d18p-64, -scaled);
  const double part = scaled + (rounding + __builtin_fma(coarse, 0x1.1a62633145c07p-118, fine * 0x1.921fb54442d18p-64));
  const int quadrant = (int)(above >> shift) + up;
  const double rest = up ? -part : part;
  return x < 0 ? warpfork_angle_f64{-quadrant, -rest} : warpfork_angle_f64{quadrant, rest};
}

__device__ inline __attribute__((always_inline)) warpfork_angle_f64 warpfork_reduce_f64(double x) {
  if (!(__builtin_fabs(x) < 1073741824.0)) {
    if (!(__builtin_fabs(x) < __builtin_inf())) return {0, __builtin_nan("")};
    return warpfork_reduce_large_f64(x);
  }
  const int whole = __nvvm_d2i_rn(x * 0.63661977236758138);
  const double quadrants = whole;                                 /* +0 of -0 */
  double rest = __builtin_fma(quadrants, -1.5707963267948966, x); /* pi/2 in three parts */
  rest = __builtin_fma(quadrants, -6.1232339957367648e-17, rest);
  rest = __builtin_fma(quadrants, -1.082856673921914e-32, rest);
  return {whole, rest};
}

WARPFORK_F64 warpfork_sin_polynomial_f64(double r) {
  const double s = r * r;
  double p = -7.5866910941979582e-13;
  p = __builtin_fma(p, s, 1.6058531516797758e-10);
  p = __builtin_fma(p, s, -2.5052106231802837e-08);
  p = __builtin_fma(p, s, 2.7557319219337312e-06);
  p = __builtin_fma(p, s, -0.00019841269841265063);
  p = __builtin_fma(p, s, 0.0083333333333333315);
  p = __builtin_fma(p, s, -0.16666666666666666);
  return __builtin_fma(p, __builtin_fma(s, r, 0.0), r); /* + 0.0 so that -0 stays -0 */
}
WARPFORK_F64 warpfork_cos_polynomial_f64(double r) {
  const double s = r * r;
  double p = -1.1382623647474604e-11;
  p = __builtin_fma(p, s, 2.087614614655861e-09);
  p = __builtin_fma(p, s, -2.7557317271145144e-07);
  p = __builtin_fma(p, s, 2.4801587298764561e-05);
  p = __builtin_fma(p, s, -0.0013888888888887398);
  p = __builtin_fma(p, s, 0.041666666666666664);
  p = __builtin_fma(p, s, -0.5);
  return __builtin_fma(p, s, 1.0);
}

WARPFORK_F64 warpfork_sine_of_f64(warpfork_angle_f64 angle) {
  const double value =
      angle.quadrant & 1 ? warpfork_cos_polynomial_f64(angle.rest) : warpfork_sin_polynomial_f64(angle.rest);
  return angle.quadrant & 2 ? -value : value;
}
WARPFORK_F64 warpfork_sin(double x) { return warpfork_sine_of_f64(warpfork_reduce_f64(x)); }
WARPFORK_F64 warpfork_cos(double x) {
  warpfork_angle_f64 angle = warpfork_reduce_f64(x);
  ++angle.quadrant;
  return warpfork_sine_of_f64(angle);
}
WARPFORK_F64 warpfork_tan(double x) {
  const warpfork_angle_f64 angle = warpfork_reduce_f64(x);
  const double s = warpfork_sin_polynomial_f64(angle.rest), c = warpfork_cos_polynomial_f64(angle.rest);
  return angle.quadrant & 1 ? -c / s : s / c;
}

/* x = 2^exponent * (1 + f), 1 + f near 1; log(1 + f) = 2 artanh(s) of s = f / (2 + f), of which the terms after the
   first are interpolated at Chebyshev nodes: f - f^2 / 2 is taken whole. The relative error of the polynomial is below
   2^-56. */
WARPFORK_F64 warpfork_log(double x) {
  if (!(x > 0.0 && x < __builtin_inf())) return x == 0.0 ? -__builtin_inf() : x < 0.0 ? __builtin_nan("") : x;
  const bool subnormal = x < 0x1p-1022;
  const long long bits = __builtin_bit_cast(long long, subnormal ? x * 0x1p54 : x);
  const long long root_of_half = 0x3fe6a09e667f3bcdll;
  const int exponent = (int)((bits - root_of_half) >> 52);
  const double f = __builtin_bit_cast(double, bits - ((long long)exponent << 52)) - 1.0;
  const double s = f / (2.0 + f), z = s * s, half_square = 0.5 * f * f;
  double p = 0.14616576421644387;
  p = __builtin_fma(p, z, 0.15331711346672997);
  p = __builtin_fma(p, z, 0.18182889433757515);
  p = __builtin_fma(p, z, 0.22222211130560726);
  p = __builtin_fma(p, z, 0.28571428626001427);
  p = __builtin_fma(p, z, 0.39999999999899449);
  p = __builtin_fma(p, z, 0.66666666666666696);
  const double e = subnormal ? exponent - 54 : exponent; /* times log 2 in two parts */
  const double tail = __builtin_fma(s, half_square + z * p, e * 0x1.a39ef35793c76p-33);
  return __builtin_fma(e, 0x1.62e42feep-1, f - (half_square - tail));
}

WARPFORK_F64 warpfork_sinh(double x) {
  const double a = __builtin_fabs(x);
  if (a < 1.0) {
    const double s = x * x;
    double p = 7.7461785930188273e-13;
    p = __builtin_fma(p, s, 1.6057679623801638e-10);
    p = __builtin_fma(p, s, 2.5052117695907823e-08);
    p = __builtin_fma(p, s, 2.7557319191381816e-06);
    p = __builtin_fma(p, s, 0.00019841269841324198);
    p = __builtin_fma(p, s, 0.0083333333333332985);
    p = __builtin_fma(p, s, 0.16666666666666666);
    return __builtin_fma(p * s, x, x);
  }
  const double half = 0.5 * warpfork_cl_exp(0.5 * a); /* in two factors: e^a overflows before sinh does */
  const double whole = half * (2.0 * half);
  return __builtin_copysign(__builtin_fma(-0.25, 1.0 / whole, whole), x);
}
WARPFORK_F64 warpfork_cosh(double x) {
  if (__builtin_fabs(x) < 709.0) {
    const double whole = 0.5 * warpfork_cl_exp(__builtin_fabs(x));
    return __builtin_fma(0.25, 1.0 / whole, whole);
  }
  const double part = warpfork_cl_exp(__builtin_fabs(x) - 1.0); /* overflows later than cosh; e / 2 is in two parts */
  return __builtin_fma(part, 0x1.5bf0a8b145769p+0, part * 0x1.4d57ee2b1013ap-54);
}
