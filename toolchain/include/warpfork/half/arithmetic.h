/* Sums, products and quotients, with their operators. */
#pragma once

#include <warpfork/half/conversions.h>

#if defined(__CUDA_ARCH__)
#define WARPFORK_HALF_BINARY(name, instruction, symbol)                                                          \
  WARPFORK_HALF __half name(__half a, __half b) {                                                                \
    unsigned short bits;                                                                                         \
    asm(instruction ".f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));                                   \
    return __warpfork_half_of(bits);                                                                             \
  }                                                                                                              \
  WARPFORK_HALF __half2 name##2(__half2 a, __half2 b) {                                                          \
    unsigned bits;                                                                                               \
    asm(instruction ".f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__warpfork_word_of(a)), "r"(__warpfork_word_of(b))); \
    return __warpfork_pair_of(bits);                                                                             \
  }
#else
#define WARPFORK_HALF_BINARY(name, instruction, symbol)                                                                \
  WARPFORK_HALF __half name(__half a, __half b) { return __half(static_cast<float>(a) symbol static_cast<float>(b)); } \
  WARPFORK_HALF __half2 name##2(__half2 a, __half2 b) { return __half2(name(a.x, b.x), name(a.y, b.y)); }
#endif
WARPFORK_HALF_BINARY(__hadd, "add.rn", +)
WARPFORK_HALF_BINARY(__hsub, "sub.rn", -)
WARPFORK_HALF_BINARY(__hmul, "mul.rn", *)
#undef WARPFORK_HALF_BINARY

WARPFORK_HALF __half __hfma(__half a, __half b, __half c) {
#if defined(__CUDA_ARCH__)
  unsigned short bits;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
  return __warpfork_half_of(bits);
#else
  return __double2half(std::fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
#endif
}
WARPFORK_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
#if defined(__CUDA_ARCH__)
  unsigned bits;
  asm("fma.rn.f16x2 %0, %1, %2, %3;"
      : "=r"(bits)
      : "r"(__warpfork_word_of(a)), "r"(__warpfork_word_of(b)), "r"(__warpfork_word_of(c)));
  return __warpfork_pair_of(bits);
#else
  return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
#endif
}
WARPFORK_HALF __half __hdiv(__half a, __half b) { return __half(static_cast<float>(a) / static_cast<float>(b)); }
WARPFORK_HALF __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
WARPFORK_HALF __half __hneg(__half a) { return __warpfork_half_of(static_cast<unsigned short>(a.__x ^ 0x8000)); }
WARPFORK_HALF __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
WARPFORK_HALF __half __habs(__half a) { return __warpfork_half_of(a.__x & 0x7FFF); }
WARPFORK_HALF __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }

/* Of `_sat`, results below 0, and NaN, are 0, those above 1 are 1; of `_relu`, those below 0 are 0; `_rn` is what no
   compiler makes a fused multiplication and addition of, which here none is. */
WARPFORK_HALF __half __warpfork_saturated(__half a) {
  const float value = a;
  return value >= 1 ? __half(1.0f) : value > 0 ? a : __half(0.0f);
}
WARPFORK_HALF __half __warpfork_rectified(__half a) {
  const float value = a;
  return value <= 0 ? __half(0.0f) : a;
}
#define WARPFORK_HALF_FORMS(name)                                                                  \
  WARPFORK_HALF __half name##_rn(__half a, __half b) { return name(a, b); }                        \
  WARPFORK_HALF __half2 name##2_rn(__half2 a, __half2 b) { return name##2(a, b); }                 \
  WARPFORK_HALF __half name##_sat(__half a, __half b) { return __warpfork_saturated(name(a, b)); } \
  WARPFORK_HALF __half2 name##2_sat(__half2 a, __half2 b) {                                        \
    return __half2(name##_sat(a.x, b.x), name##_sat(a.y, b.y));                                    \
  }
WARPFORK_HALF_FORMS(__hadd)
WARPFORK_HALF_FORMS(__hsub)
WARPFORK_HALF_FORMS(__hmul)
#undef WARPFORK_HALF_FORMS
#define WARPFORK_HALF_FUSED(form, apply)                                                              \
  WARPFORK_HALF __half __hfma_##form(__half a, __half b, __half c) { return apply(__hfma(a, b, c)); } \
  WARPFORK_HALF __half2 __hfma2_##form(__half2 a, __half2 b, __half2 c) {                             \
    return __half2(__hfma_##form(a.x, b.x, c.x), __hfma_##form(a.y, b.y, c.y));                       \
  }
WARPFORK_HALF_FUSED(sat, __warpfork_saturated)
WARPFORK_HALF_FUSED(relu, __warpfork_rectified)
#undef WARPFORK_HALF_FUSED
/* a * b + c of complex numbers, by four fused operations. */
WARPFORK_HALF __half2 __hcmadd(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

#define WARPFORK_HALF_OPERATOR(symbol, one, two)                                          \
  WARPFORK_HALF __half operator symbol(__half a, __half b) { return one(a, b); }          \
  WARPFORK_HALF __half2 operator symbol(__half2 a, __half2 b) { return two(a, b); }       \
  WARPFORK_HALF __half& operator symbol##=(__half& a, __half b) { return a = one(a, b); } \
  WARPFORK_HALF __half2& operator symbol##=(__half2& a, __half2 b) { return a = two(a, b); }
WARPFORK_HALF_OPERATOR(+, __hadd, __hadd2)
WARPFORK_HALF_OPERATOR(-, __hsub, __hsub2)
WARPFORK_HALF_OPERATOR(*, __hmul, __hmul2)
WARPFORK_HALF_OPERATOR(/, __hdiv, __h2div)
#undef WARPFORK_HALF_OPERATOR
WARPFORK_HALF __half operator+(__half a) { return a; }
WARPFORK_HALF __half operator-(__half a) { return __hneg(a); }
WARPFORK_HALF __half2 operator+(__half2 a) { return a; }
WARPFORK_HALF __half2 operator-(__half2 a) { return __hneg2(a); }
WARPFORK_HALF __half& operator++(__half& a) { return a += __half(1.0f); }
WARPFORK_HALF __half& operator--(__half& a) { return a -= __half(1.0f); }
