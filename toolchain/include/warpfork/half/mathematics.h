/* Functions of one number, as float. */
#pragma once

#include <warpfork/half/conversions.h>

#define WARPFORK_HALF_FUNCTION(name, expression)   \
  WARPFORK_HALF __half h##name(__half a) {         \
    const float x = a;                             \
    return __half(static_cast<float>(expression)); \
  }                                                \
  WARPFORK_HALF __half2 h2##name(__half2 a) { return __half2(h##name(a.x), h##name(a.y)); }
WARPFORK_HALF_FUNCTION(sqrt, sqrtf(x))
WARPFORK_HALF_FUNCTION(rsqrt, 1 / sqrtf(x))
WARPFORK_HALF_FUNCTION(rcp, 1 / x)
WARPFORK_HALF_FUNCTION(exp, expf(x))
WARPFORK_HALF_FUNCTION(exp2, exp2f(x))
WARPFORK_HALF_FUNCTION(exp10, powf(10, x))
WARPFORK_HALF_FUNCTION(log, logf(x))
WARPFORK_HALF_FUNCTION(log2, log2f(x))
WARPFORK_HALF_FUNCTION(log10, log10f(x))
WARPFORK_HALF_FUNCTION(sin, sinf(x))
WARPFORK_HALF_FUNCTION(cos, cosf(x))
WARPFORK_HALF_FUNCTION(tanh, tanhf(x))
WARPFORK_HALF_FUNCTION(tanh_approx, tanhf(x))
WARPFORK_HALF_FUNCTION(floor, floorf(x))
WARPFORK_HALF_FUNCTION(ceil, ceilf(x))
WARPFORK_HALF_FUNCTION(trunc, truncf(x))
WARPFORK_HALF_FUNCTION(rint, rintf(x))
#undef WARPFORK_HALF_FUNCTION
