/* Functions of one number, as float. */
#pragma once

#include <warpfork/bfloat16/conversions.h>

#define WARPFORK_BFLOAT16_FUNCTION(name, expression)         \
  WARPFORK_BFLOAT16 __nv_bfloat16 h##name(__nv_bfloat16 a) { \
    const float x = a;                                       \
    return __nv_bfloat16(static_cast<float>(expression));    \
  }                                                          \
  WARPFORK_BFLOAT16 __nv_bfloat162 h2##name(__nv_bfloat162 a) { return __nv_bfloat162(h##name(a.x), h##name(a.y)); }
WARPFORK_BFLOAT16_FUNCTION(sqrt, sqrtf(x))
WARPFORK_BFLOAT16_FUNCTION(rsqrt, 1 / sqrtf(x))
WARPFORK_BFLOAT16_FUNCTION(rcp, 1 / x)
WARPFORK_BFLOAT16_FUNCTION(exp, expf(x))
WARPFORK_BFLOAT16_FUNCTION(exp2, exp2f(x))
WARPFORK_BFLOAT16_FUNCTION(exp10, powf(10, x))
WARPFORK_BFLOAT16_FUNCTION(log, logf(x))
WARPFORK_BFLOAT16_FUNCTION(log2, log2f(x))
WARPFORK_BFLOAT16_FUNCTION(log10, log10f(x))
WARPFORK_BFLOAT16_FUNCTION(sin, sinf(x))
WARPFORK_BFLOAT16_FUNCTION(cos, cosf(x))
WARPFORK_BFLOAT16_FUNCTION(tanh, tanhf(x))
WARPFORK_BFLOAT16_FUNCTION(tanh_approx, tanhf(x))
WARPFORK_BFLOAT16_FUNCTION(floor, floorf(x))
WARPFORK_BFLOAT16_FUNCTION(ceil, ceilf(x))
WARPFORK_BFLOAT16_FUNCTION(trunc, truncf(x))
WARPFORK_BFLOAT16_FUNCTION(rint, rintf(x))
#undef WARPFORK_BFLOAT16_FUNCTION
