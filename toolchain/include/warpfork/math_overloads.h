/* The overloads for float of the C library's names that C++ has (round(1.5f) is a float). clang declares them all and
   defines those that NVIDIA's headers do not; here are the others. */
#pragma once

#define WARPFORK_OVERLOAD static __device__ inline __attribute__((always_inline))
#define WARPFORK_ONE(result, name) \
  WARPFORK_OVERLOAD result name(float a) { return name##f(a); }
#define WARPFORK_TWO(name, second) \
  WARPFORK_OVERLOAD float name(float a, second b) { return name##f(a, b); }
WARPFORK_OVERLOAD double scalbln(double a, long exponent) { return warpfork_scale(a, exponent); }
WARPFORK_OVERLOAD float scalblnf(float a, long exponent) { return warpfork_scale(a, exponent); }
WARPFORK_ONE(float, acosh)
WARPFORK_ONE(float, asinh)
WARPFORK_ONE(float, atanh)
WARPFORK_ONE(float, cbrt)
WARPFORK_ONE(float, cospi)
WARPFORK_ONE(float, erf)
WARPFORK_ONE(float, erfc)
WARPFORK_ONE(float, cyl_bessel_i0)
WARPFORK_ONE(float, cyl_bessel_i1)
WARPFORK_ONE(float, erfcinv)
WARPFORK_ONE(float, erfcx)
WARPFORK_ONE(float, erfinv)
WARPFORK_ONE(float, j0)
WARPFORK_ONE(float, j1)
WARPFORK_ONE(float, normcdfinv)
WARPFORK_ONE(float, tgamma)
WARPFORK_ONE(float, y0)
WARPFORK_ONE(float, y1)
WARPFORK_ONE(float, exp10)
WARPFORK_ONE(float, exp2)
WARPFORK_ONE(float, expm1)
WARPFORK_ONE(float, lgamma)
WARPFORK_ONE(float, log1p)
WARPFORK_ONE(float, log2)
WARPFORK_ONE(float, logb)
WARPFORK_ONE(float, nearbyint)
WARPFORK_ONE(float, normcdf)
WARPFORK_ONE(float, rcbrt)
WARPFORK_ONE(float, rint)
WARPFORK_ONE(float, round)
WARPFORK_ONE(float, rsqrt)
WARPFORK_ONE(float, sinpi)
WARPFORK_ONE(float, trunc)
WARPFORK_ONE(int, ilogb)
WARPFORK_ONE(long, lrint)
WARPFORK_ONE(long, lround)
WARPFORK_ONE(long long, llrint)
WARPFORK_ONE(long long, llround)
WARPFORK_TWO(copysign, float)
WARPFORK_TWO(fdim, float)
WARPFORK_TWO(fmax, float)
WARPFORK_TWO(fmin, float)
WARPFORK_TWO(hypot, float)
WARPFORK_TWO(nextafter, float)
WARPFORK_TWO(remainder, float)
WARPFORK_TWO(scalbn, int)
WARPFORK_TWO(scalbln, long)
/* A float to a whole power is a double, as C++ has had it since 2011. Clang's headers have a float there; of two functions
   with the same parameters that with a condition is taken. */
WARPFORK_OVERLOAD double pow(float a, int b) __attribute__((enable_if(true, "preferred"))) { return pow((double)a, (double)b); }
WARPFORK_OVERLOAD double pow(double a, int b) __attribute__((enable_if(true, "preferred"))) {
  return pow(a, (double)b);
}
WARPFORK_OVERLOAD float fma(float a, float b, float c) { return fmaf(a, b, c); }
WARPFORK_OVERLOAD float jn(int n, float a) { return jnf(n, a); }
WARPFORK_OVERLOAD float yn(int n, float a) { return ynf(n, a); }
WARPFORK_OVERLOAD float remquo(float a, float b, int* quotient) { return remquof(a, b, quotient); }
WARPFORK_OVERLOAD void sincos(float a, float* sine, float* cosine) { sincosf(a, sine, cosine); }
WARPFORK_OVERLOAD void sincospi(float a, float* sine, float* cosine) { sincospif(a, sine, cosine); }
WARPFORK_OVERLOAD float __tanhf(float a) { return __nv_fast_tanhf(a); }
WARPFORK_OVERLOAD float nanf(const char*) { return __builtin_nanf(""); }
WARPFORK_OVERLOAD double nan(const char*) { return __builtin_nan(""); }
#undef WARPFORK_ONE
#undef WARPFORK_TWO
#undef WARPFORK_OVERLOAD
