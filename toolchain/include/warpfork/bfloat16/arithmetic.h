/* Sums, products and quotients, with their operators. A float has more than twice the bits, so that the float's
   rounding changes nothing; of a product with an addition it would. */
#pragma once

#include <warpfork/bfloat16/conversions.h>

#define WARPFORK_BFLOAT16_BINARY(name, pair, symbol)                                                                \
  WARPFORK_BFLOAT16 __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {                                          \
    return __nv_bfloat16(static_cast<float>(a) symbol static_cast<float>(b));                                       \
  }                                                                                                                 \
  WARPFORK_BFLOAT16 __nv_bfloat162 pair(__nv_bfloat162 a, __nv_bfloat162 b) {                                       \
    return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y));                                                          \
  }                                                                                                                 \
  WARPFORK_BFLOAT16 __nv_bfloat16 operator symbol(__nv_bfloat16 a, __nv_bfloat16 b) { return name(a, b); }          \
  WARPFORK_BFLOAT16 __nv_bfloat162 operator symbol(__nv_bfloat162 a, __nv_bfloat162 b) { return pair(a, b); }       \
  WARPFORK_BFLOAT16 __nv_bfloat16& operator symbol##=(__nv_bfloat16& a, __nv_bfloat16 b) { return a = name(a, b); } \
  WARPFORK_BFLOAT16 __nv_bfloat162& operator symbol##=(__nv_bfloat162& a, __nv_bfloat162 b) { return a = pair(a, b); }
WARPFORK_BFLOAT16_BINARY(__hadd, __hadd2, +)
WARPFORK_BFLOAT16_BINARY(__hsub, __hsub2, -)
WARPFORK_BFLOAT16_BINARY(__hmul, __hmul2, *)
WARPFORK_BFLOAT16_BINARY(__hdiv, __h2div, /)
#undef WARPFORK_BFLOAT16_BINARY

/* Rounded once. */
WARPFORK_BFLOAT16 __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
  return __warpfork_bfloat16_of(bits);
#elif defined(__CUDA_ARCH__)
  const float down = __fmaf_rd(a, b, c), up = __fmaf_ru(a, b, c);
  return __nv_bfloat16(down == up || down != down ? __fmaf_rn(a, b, c) : __warpfork_inexact(__fmaf_rz(a, b, c), false));
#else
  /* The product is exact; what the sum drops is found by Knuth's algorithm (TwoSum). */
  const double product = static_cast<double>(a) * static_cast<double>(b), addend = c, sum = product + addend;
  const double of_addend = sum - product, dropped = (product - (sum - of_addend)) + (addend - of_addend);
  if (!(dropped != 0) || !std::isfinite(sum)) return __nv_bfloat16(sum);
  unsigned long long bits;
  memcpy(&bits, &sum, sizeof bits);
  bits = (bits - ((dropped < 0) != (sum < 0))) | 1; /* to be rounded as the whole sum */
  double odd;
  memcpy(&odd, &bits, sizeof odd);
  return __nv_bfloat16(odd);
#endif
}
WARPFORK_BFLOAT16 __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned bits;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;"
      : "=r"(bits)
      : "r"(__warpfork_word_of(a)), "r"(__warpfork_word_of(b)), "r"(__warpfork_word_of(c)));
  return __warpfork_bfloat162_of(bits);
#else
  return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
#endif
}

WARPFORK_BFLOAT16 __nv_bfloat16 __hneg(__nv_bfloat16 a) { return __warpfork_bfloat16_of(a.__x ^ 0x8000); }
WARPFORK_BFLOAT16 __nv_bfloat16 __habs(__nv_bfloat16 a) { return __warpfork_bfloat16_of(a.__x & 0x7FFF); }
WARPFORK_BFLOAT16 __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return __nv_bfloat162(__hneg(a.x), __hneg(a.y)); }
WARPFORK_BFLOAT16 __nv_bfloat162 __habs2(__nv_bfloat162 a) { return __nv_bfloat162(__habs(a.x), __habs(a.y)); }

/* Of `_sat`, results below 0, and NaN, are 0, those above 1 are 1; of `_relu`, those below 0 are 0; `_rn` is what no
   compiler makes a fused multiplication and addition of, which here none is. */
WARPFORK_BFLOAT16 __nv_bfloat16 __warpfork_saturated(__nv_bfloat16 a) {
  const float value = a;
  return value >= 1 ? __nv_bfloat16(1.0f) : value > 0 ? a : __nv_bfloat16(0.0f);
}
WARPFORK_BFLOAT16 __nv_bfloat16 __warpfork_rectified(__nv_bfloat16 a) {
  const float value = a;
  return value <= 0 ? __nv_bfloat16(0.0f) : a;
}
#define WARPFORK_BFLOAT16_FORMS(name)                                                                       \
  WARPFORK_BFLOAT16 __nv_bfloat16 name##_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return name(a, b); }        \
  WARPFORK_BFLOAT16 __nv_bfloat162 name##2_rn(__nv_bfloat162 a, __nv_bfloat162 b) { return name##2(a, b); } \
  WARPFORK_BFLOAT16 __nv_bfloat16 name##_sat(__nv_bfloat16 a, __nv_bfloat16 b) {                            \
    return __warpfork_saturated(name(a, b));                                                                \
  }                                                                                                         \
  WARPFORK_BFLOAT16 __nv_bfloat162 name##2_sat(__nv_bfloat162 a, __nv_bfloat162 b) {                        \
    return __nv_bfloat162(name##_sat(a.x, b.x), name##_sat(a.y, b.y));                                      \
  }
WARPFORK_BFLOAT16_FORMS(__hadd)
WARPFORK_BFLOAT16_FORMS(__hsub)
WARPFORK_BFLOAT16_FORMS(__hmul)
#undef WARPFORK_BFLOAT16_FORMS
#define WARPFORK_BFLOAT16_FUSED(form, apply)                                                              \
  WARPFORK_BFLOAT16 __nv_bfloat16 __hfma_##form(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {      \
    return apply(__hfma(a, b, c));                                                                        \
  }                                                                                                       \
  WARPFORK_BFLOAT16 __nv_bfloat162 __hfma2_##form(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { \
    return __nv_bfloat162(__hfma_##form(a.x, b.x, c.x), __hfma_##form(a.y, b.y, c.y));                    \
  }
WARPFORK_BFLOAT16_FUSED(sat, __warpfork_saturated)
WARPFORK_BFLOAT16_FUSED(relu, __warpfork_rectified)
#undef WARPFORK_BFLOAT16_FUSED
/* a * b + c of complex numbers, by four fused operations. */
WARPFORK_BFLOAT16 __nv_bfloat162 __hcmadd(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return __nv_bfloat162(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

WARPFORK_BFLOAT16 __nv_bfloat16 operator+(__nv_bfloat16 a) { return a; }
WARPFORK_BFLOAT16 __nv_bfloat16 operator-(__nv_bfloat16 a) { return __hneg(a); }
WARPFORK_BFLOAT16 __nv_bfloat162 operator+(__nv_bfloat162 a) { return a; }
WARPFORK_BFLOAT16 __nv_bfloat162 operator-(__nv_bfloat162 a) { return __hneg2(a); }
WARPFORK_BFLOAT16 __nv_bfloat16& operator++(__nv_bfloat16& a) { return a += __nv_bfloat16(1.0f); }
WARPFORK_BFLOAT16 __nv_bfloat16& operator--(__nv_bfloat16& a) { return a -= __nv_bfloat16(1.0f); }
