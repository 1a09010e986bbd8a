/* The common single-precision functions, to a few units in the last place, in the way that GPUs compute them: range
   reduction by fused multiply-add, then the special-function unit's ex2 or a short polynomial.
   The polynomials interpolate at Chebyshev nodes; their relative errors are below 2^-24. */
#pragma once

#define WARPFORK_F32 __device__ inline __attribute__((always_inline)) float
#define WARPFORK_FMA __builtin_fmaf

/* 2^(x * (high + low)): the whole part goes into a factor of its own, so that ex2 sees a small argument. The whole part
   is kept where 2^n is a normal number; beyond it ex2 itself overflows or underflows. */
WARPFORK_F32 warpfork_scaled_ex2(float x, float high, float low) {
  const float whole =
      WARPFORK_F32_BUILTIN(fmax)(WARPFORK_F32_BUILTIN(fmin)(__builtin_rintf(x * high), 127.0f), -126.0f);
  const float rest = WARPFORK_FMA(x, low, WARPFORK_FMA(x, high, -whole));
  return WARPFORK_F32_BUILTIN(ex2_approx)(rest) * WARPFORK_F32_BUILTIN(ex2_approx)(whole);
}

WARPFORK_F32 warpfork_expf(float x) {
  /* of an infinity fma would make a NaN */
  return __builtin_fabsf(x) < 256.0f ? warpfork_scaled_ex2(x, 1.44269502f, 1.92596299e-8f)
                                     : WARPFORK_F32_BUILTIN(ex2_approx)(x * 1.44269502f);
}
WARPFORK_F32 warpfork_exp10f(float x) {
  return __builtin_fabsf(x) < 256.0f ? warpfork_scaled_ex2(x, 3.32192802f, 7.05953702e-8f)
                                     : WARPFORK_F32_BUILTIN(ex2_approx)(x * 3.32192802f);
}
WARPFORK_F32 warpfork_exp2f(float x) { return WARPFORK_F32_BUILTIN(ex2_approx)(x); }

/* log(1 + r) - r for r in [-1/3, 1/3]. */
WARPFORK_F32 warpfork_log_tail(float r) {
  float p = -0.124222174f;
  p = WARPFORK_FMA(p, r, 0.137483269f);
  p = WARPFORK_FMA(p, r, -0.122887187f);
  p = WARPFORK_FMA(p, r, 0.140558094f);
  p = WARPFORK_FMA(p, r, -0.166733161f);
  p = WARPFORK_FMA(p, r, 0.200072348f);
  p = WARPFORK_FMA(p, r, -0.249999449f);
  p = WARPFORK_FMA(p, r, 0.333332717f);
  p = WARPFORK_FMA(p, r, -0.5f);
  return p * r * r;
}

/* Splits a positive number into 2^exponent * (1 + r), r in [-1/3, 1/3], and gives exponent * scale + log(1 + r) * unit,
   the logarithm to the base that `scale` = log(2) and `unit` = log(e) stand for. */
WARPFORK_F32 warpfork_log_base(float x, float scale, float unit, float unit_low) {
  const bool subnormal = x < 1.17549435e-38f;
  const int bits = __builtin_bit_cast(int, subnormal ? x * 8388608.0f : x);
  const int two_thirds = 0x3f2aaaab;
  const int exponent = (bits - two_thirds) & 0xff800000;
  const float r = __builtin_bit_cast(float, bits - exponent) - 1.0f;
  const float e = WARPFORK_FMA((float)exponent, 1.1920929e-7f, subnormal ? -23.0f : 0.0f);
  const float tail = warpfork_log_tail(r);
  const float log = WARPFORK_FMA(e, scale, WARPFORK_FMA(r, unit, WARPFORK_FMA(tail, unit, (r + tail) * unit_low)));
  if (x > 0 && x < __builtin_inff()) return log;
  return x == 0 ? -__builtin_inff() : x < 0 ? __builtin_nanf("") : x; /* infinity and NaN stay */
}
WARPFORK_F32 warpfork_logf(float x) { return warpfork_log_base(x, 0.693147182f, 1.0f, 0.0f); }
WARPFORK_F32 warpfork_log2f(float x) { return warpfork_log_base(x, 1.0f, 1.44269502f, 1.92596299e-8f); }
WARPFORK_F32 warpfork_log10f(float x) { return warpfork_log_base(x, 0.301029995f, 0.434294492f, -1.00994635e-8f); }

/* sin and cos of r in [-pi/4, pi/4]. */
WARPFORK_F32 warpfork_sin_polynomial(float r) {
  const float s = r * r;
  float p = 2.7249896e-06f;
  p = WARPFORK_FMA(p, s, -0.00019840087f);
  p = WARPFORK_FMA(p, s, 0.00833333191f);
  p = WARPFORK_FMA(p, s, -0.166666672f);
  return WARPFORK_FMA(p, WARPFORK_FMA(s, r, 0.0f), r); /* + 0.0 so that -0 stays -0 */
}
WARPFORK_F32 warpfork_cos_polynomial(float r) {
  const float s = r * r;
  float p = 2.45479168e-05f;
  p = WARPFORK_FMA(p, s, -0.00138883025f);
  p = WARPFORK_FMA(p, s, 0.0416666642f);
  p = WARPFORK_FMA(p, s, -0.5f);
  return WARPFORK_FMA(p, s, 1.0f);
}

/* An angle as quadrant * pi/2 + rest, |rest| <= pi/4. */
struct warpfork_angle {
  int quadrant;
  float rest;
};

/* Angles beyond the reach of the fast reduction: the mantissa times the first 192 bits of 2/pi, of which the two bits
   above and the 64 below the binary point are taken (Payne and Hanek's method). */
__device__ static __attribute__((noinline)) warpfork_angle warpfork_reduce_large(float x) {
  const unsigned two_over_pi[6] = {0x3c439041, 0xdb629599, 0xf534ddc0, 0xfc2757d1, 0x4e441529, 0xa2f9836e};
  const unsigned bits = (unsigned)__builtin_bit_cast(int, x);
  const unsigned mantissa = (bits << 8) | 0x80000000u;
  const int exponent = (int)((bits >> 23) & 0xff) - 127;
  unsigned product[8], carry = 0;
  for (int i = 0; i < 6; ++i) {
    const unsigned long long part = (unsigned long long)mantissa * two_over_pi[i] + carry;
    product[i] = (unsigned)part;
    carry = (unsigned)(part >> 32);
  }
  product[6] = carry;
  product[7] = 0;
  const int point = 223 - exponent; /* the product's bit of weight one: |x| = mantissa * 2^(exponent - 31) */
  const int word = point / 32, shift = point % 32;
  const unsigned long long upper = ((unsigned long long)product[word + 1] << 32) | product[word];
  const unsigned long long middle = ((unsigned long long)product[word] << 32) | product[word - 1];
  const unsigned long long fraction = (middle << (32 - shift)) | (product[word - 2] >> shift);
  const int up = (long long)fraction < 0; /* at least one half: the next quadrant, from below */
  const int quadrant = (int)(upper >> shift) + up;
  const float rest = (float)((double)(long long)fraction * 8.5153039502163861e-20); /* pi/2 * 2^-64 */
  return x < 0 ? warpfork_angle{-quadrant, -rest} : warpfork_angle{quadrant, rest};
}

__device__ inline __attribute__((always_inline)) warpfork_angle warpfork_reduce(float x) {
  if (__builtin_fabsf(x) > 105615.0f) {
    if (__builtin_fabsf(x) == __builtin_inff()) return {0, __builtin_nanf("")};
    return warpfork_reduce_large(x);
  }
  const int whole = WARPFORK_F32_CONVERSION(f2i_rn)(x * 0.636619747f);
  const float quadrants = (float)whole;                  /* +0 of -0 */
  float rest = WARPFORK_FMA(quadrants, -1.57079625f, x); /* pi/2 in three parts */
  rest = WARPFORK_FMA(quadrants, -7.54978942e-08f, rest);
  rest = WARPFORK_FMA(quadrants, -5.39030253e-15f, rest);
  return {whole, rest};
}

WARPFORK_F32 warpfork_sine_of(warpfork_angle angle) {
  const float value = angle.quadrant & 1 ? warpfork_cos_polynomial(angle.rest) : warpfork_sin_polynomial(angle.rest);
  return angle.quadrant & 2 ? -value : value;
}
WARPFORK_F32 warpfork_sinf(float x) { return warpfork_sine_of(warpfork_reduce(x)); }
WARPFORK_F32 warpfork_cosf(float x) {
  warpfork_angle angle = warpfork_reduce(x);
  ++angle.quadrant;
  return warpfork_sine_of(angle);
}
WARPFORK_F32 warpfork_tanf(float x) {
  const warpfork_angle angle = warpfork_reduce(x);
  const float s = warpfork_sin_polynomial(angle.rest), c = warpfork_cos_polynomial(angle.rest);
  return angle.quadrant & 1 ? -c / s : s / c;
}

WARPFORK_F32 warpfork_sinhf(float x) {
  const float a = __builtin_fabsf(x);
  if (a < 1.0f) {
    const float s = x * x;
    float p = 2.80628024e-06f;
    p = WARPFORK_FMA(p, s, 0.000198381022f);
    p = WARPFORK_FMA(p, s, 0.00833333939f);
    p = WARPFORK_FMA(p, s, 0.166666672f);
    return WARPFORK_FMA(p * s, x, x);
  }
  const float half = 0.5f * warpfork_expf(0.5f * a); /* in two factors: e^a overflows before sinh does */
  const float whole = half * (2.0f * half);
  return __builtin_copysignf(WARPFORK_FMA(-0.25f, 1.0f / whole, whole), x);
}
WARPFORK_F32 warpfork_coshf(float x) {
  const float half = 0.5f * warpfork_expf(0.5f * __builtin_fabsf(x));
  const float whole = half * (2.0f * half);
  return WARPFORK_FMA(0.25f, 1.0f / whole, whole);
}
WARPFORK_F32 warpfork_tanhf(float x) {
  const float a = __builtin_fabsf(x);
  if (a < 0.6f) {
    const float s = x * x;
    float p = -0.00626911968f;
    p = WARPFORK_FMA(p, s, 0.0211109594f);
    p = WARPFORK_FMA(p, s, -0.0538739488f);
    p = WARPFORK_FMA(p, s, 0.133329153f);
    p = WARPFORK_FMA(p, s, -0.333333313f);
    return WARPFORK_FMA(p, WARPFORK_FMA(s, x, 0.0f), x);
  }
  return __builtin_copysignf(1.0f - 2.0f / (warpfork_expf(2.0f * a) + 1.0f), x);
}
