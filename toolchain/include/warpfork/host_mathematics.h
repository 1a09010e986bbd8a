/* For host code, CUDA's mathematical functions that the C library lacks (CUDA Math API); nvcc has them on both sides.
   Those of double precision are computed in long double, that is with 64 bits or more and exponents beyond any product
   of two doubles, and those of single precision in double, so that what is left is the error of one rounding: below
   0.51 units in the last place. The C library's own (exp10, sincos, j0, ...) get their overloads for float. As with
   nvcc, an overloaded function does not take an int. */
#pragma once

#define WARPFORK_HOST static inline __host__

/* Newer releases of the GNU C library have the first few of them, as C23 does. */
#define WARPFORK_LIBRARY_FROM(major, minor) 0
#if defined(__GLIBC_PREREQ)
#undef WARPFORK_LIBRARY_FROM
#define WARPFORK_LIBRARY_FROM(major, minor) __GLIBC_PREREQ(major, minor)
#endif

#if !WARPFORK_LIBRARY_FROM(2, 42)
WARPFORK_HOST double rsqrt(double a) { return (double)(1 / __builtin_sqrtl(a)); }
WARPFORK_HOST float rsqrtf(float a) { return (float)(1 / __builtin_sqrt(a)); }
#endif
WARPFORK_HOST double rcbrt(double a) { return (double)(1 / __builtin_cbrtl(a)); }
WARPFORK_HOST float rcbrtf(float a) { return (float)(1 / __builtin_cbrt(a)); }
WARPFORK_HOST float fdividef(float a, float b) { return a / b; }

#define WARPFORK_HOST_EXTREMES(prefix, type)                               \
  WARPFORK_HOST type prefix##min(type a, type b) { return a < b ? a : b; } \
  WARPFORK_HOST type prefix##max(type a, type b) { return a > b ? a : b; }
WARPFORK_HOST_EXTREMES(u, unsigned)
WARPFORK_HOST_EXTREMES(ll, long long)
WARPFORK_HOST_EXTREMES(ull, unsigned long long)
#undef WARPFORK_HOST_EXTREMES

#define WARPFORK_HOST_SINGLE(name) \
  WARPFORK_HOST float name##f(float a) { return (float)name((double)a); }

#if !WARPFORK_LIBRARY_FROM(2, 41)
/* Of a / pi = whole / 2 + r with r in [-1/4, 1/4], which is exact. Zeros have the sign that they have on the device: of
   sinpi the argument's, of cospi none. */
WARPFORK_HOST double warpfork_host_sine_of_halves(int whole, double r) {
  const long double angle = 3.14159265358979323846264338327950288L * r;
  const long double value = whole & 1 ? __builtin_cosl(angle) : __builtin_sinl(angle);
  return (double)(whole & 2 ? 0 - value : value);
}
WARPFORK_HOST double sinpi(double a) {
  if (!(__builtin_fabs(a) < __builtin_inf())) return a - a;
  const double turn = a - 2 * __builtin_trunc(0.5 * a), whole = __builtin_rint(2 * turn);
  const double value = warpfork_host_sine_of_halves((int)whole, turn - 0.5 * whole);
  return value == 0 ? __builtin_copysign(0, a) : value;
}
WARPFORK_HOST double cospi(double a) {
  if (!(__builtin_fabs(a) < __builtin_inf())) return a - a;
  const double turn = a - 2 * __builtin_trunc(0.5 * a), whole = __builtin_rint(2 * turn);
  return warpfork_host_sine_of_halves((int)whole + 1, turn - 0.5 * whole);
}
WARPFORK_HOST_SINGLE(sinpi)
WARPFORK_HOST_SINGLE(cospi)
#endif
WARPFORK_HOST void sincospi(double a, double* sine, double* cosine) {
  *sine = sinpi(a);
  *cosine = cospi(a);
}
WARPFORK_HOST void sincospif(float a, float* sine, float* cosine) {
  *sine = sinpif(a);
  *cosine = cospif(a);
}

/* Half of erfc(z) of z = -a / sqrt(2). As erfc falls by 2 z of its value a unit of z, what z loses counts; the first
   part of 1 / sqrt(2) has 11 bits, so that its product with a double is exact. */
WARPFORK_HOST double normcdf(double a) {
  const long double product = a * -0.70703125L, low = a * -7.55311865475244008443621048490392848e-5L;
  const long double z = product + low;
  long double twice = __builtin_erfcl(z);
  if (z > 1 && z < 40) twice -= 2 * z * ((product - z) + low) * twice;
  return (double)(0.5L * twice);
}

/* exp(a^2) erfc(a), from 10 on by its asymptotic series (DLMF 7.12.1). The square is taken in two parts, the first of
   them exact, as exp makes a relative error of its absolute one. */
WARPFORK_HOST double erfcx(double a) {
  if (a < -27) return __builtin_inf();
  if (a < 10) {
    const long double head = (float)a, rest = a - head;
    return (double)(__builtin_expl(head * head) * __builtin_expl(rest * (a + head)) * __builtin_erfcl(a));
  }
  const long double x = a, s = 0.5L / x / x;
  long double sum = 1;
  for (int n = 14; n > 0; --n) sum = 1 - (2 * n - 1) * s * sum;
  return (double)(0.564189583547756286948079451560772586L / x * sum); /* 1 / sqrt(pi) */
}

/* Near the y with erf(y) = x and erfc(y) = q: the first terms of its power series or of its asymptotic expansion (DLMF
   7.17.2 and 7.17.6), or Winitzki's approximation (2008). */
WARPFORK_HOST double warpfork_host_near_inverse_error(double x, double q) {
  if (x < 0.1) return 0.88622692545275801 * x; /* sqrt(pi) / 2 */
  if (q < 0.02) {
    const double log = -__builtin_log(q);
    return __builtin_sqrt(log - 0.5 * __builtin_log(3.1415926535897931 * log));
  }
  const double log = __builtin_log(q * (1 + x)), t = 4.3307467508 + 0.5 * log; /* 2 / (pi a) of a = 0.147 */
  return __builtin_sqrt(__builtin_sqrt(t * t - log / 0.147) - t);
}

/* That y by Halley's method from there, of x in [0, 1) and q = 1 - x; the smaller one is to be exact. */
WARPFORK_HOST long double warpfork_host_inverse_error(long double x, long double q) {
  long double y = warpfork_host_near_inverse_error((double)x, (double)q);
  for (int i = 0; i < 3; ++i) {
    const long double slope = 1.12837916709551257389615890312154517L * __builtin_expl(-y * y); /* 2 / sqrt(pi) */
    const long double step = (q < x ? q - __builtin_erfcl(y) : __builtin_erfl(y) - x) / slope;
    y -= step / (1 + y * step);
  }
  return y;
}
WARPFORK_HOST long double warpfork_host_erfcinv(double q) {
  if (!(q > 0 && q < 2)) return q == 0 ? __builtin_inf() : q == 2 ? -__builtin_inf() : __builtin_nan("");
  const long double x = 1 - (long double)q;
  return q < 1 ? warpfork_host_inverse_error(x, q) : -warpfork_host_inverse_error(-x, 2 - (long double)q);
}
WARPFORK_HOST double erfinv(double a) {
  const double x = __builtin_fabs(a);
  if (!(x < 1)) return x == 1 ? a * __builtin_inf() : __builtin_nan("");
  return __builtin_copysign((double)warpfork_host_inverse_error(x, 1 - (long double)x), a);
}
WARPFORK_HOST double erfcinv(double a) { return (double)(0 + warpfork_host_erfcinv(a)); }
WARPFORK_HOST double normcdfinv(double a) {
  return (double)(0 - 1.41421356237309504880168872420969808L * warpfork_host_erfcinv(2 * a));
}

/* The modified Bessel function of order 0 or 1 of x >= 0: power series (DLMF 10.25.2), from 30 on 10.40.1. Beyond 1000
   it is larger than any double, as it is from 720 on. */
WARPFORK_HOST long double warpfork_host_cyl_bessel_i(int order, long double x) {
  long double sum = 1, term = 1;
  if (x < 30) {
    for (int k = 1; k < 100 && term > 1e-21L * sum; ++k) {
      term *= 0.25L * x * x / (k * (k + order));
      sum += term;
    }
    return order == 0 ? sum : 0.5L * x * sum;
  }
  if (x > 1000) return __builtin_inf();
  for (int k = 1; k < 40; ++k) {
    const long double odd = 2 * k - 1;
    term *= (odd * odd - 4 * order) / (8 * k * x);
    sum += term;
  }
  return __builtin_expl(x) * sum * __builtin_sqrtl(0.159154943091895335768883763372514362L / x); /* 1 / (2 pi) */
}
WARPFORK_HOST double cyl_bessel_i0(double a) { return (double)warpfork_host_cyl_bessel_i(0, __builtin_fabs(a)); }
WARPFORK_HOST double cyl_bessel_i1(double a) {
  return __builtin_copysign((double)warpfork_host_cyl_bessel_i(1, __builtin_fabs(a)), a);
}

/* Euclidean norms. No square overflows or vanishes; an infinite element makes the norm infinite, whatever others are.
 */
#define WARPFORK_HOST_NORMS(type, suffix, wide, root)                              \
  WARPFORK_HOST wide warpfork_host_norm##suffix(int count, const type* elements) { \
    wide sum = 0;                                                                  \
    bool infinite = false;                                                         \
    for (int i = 0; i < count; ++i) {                                              \
      sum += (wide)elements[i] * elements[i];                                      \
      infinite |= __builtin_fabs(elements[i]) == __builtin_inf();                  \
    }                                                                              \
    return infinite ? (wide)__builtin_inf() : root(sum);                           \
  }                                                                                \
  WARPFORK_HOST type norm##suffix(int count, const type* elements) {               \
    return (type)warpfork_host_norm##suffix(count, elements);                      \
  }                                                                                \
  WARPFORK_HOST type rnorm##suffix(int count, const type* elements) {              \
    return (type)(1 / warpfork_host_norm##suffix(count, elements));                \
  }                                                                                \
  WARPFORK_HOST type rhypot##suffix(type a, type b) {                              \
    const type elements[2] = {a, b};                                               \
    return rnorm##suffix(2, elements);                                             \
  }                                                                                \
  WARPFORK_HOST type norm3d##suffix(type a, type b, type c) {                      \
    const type elements[3] = {a, b, c};                                            \
    return norm##suffix(3, elements);                                              \
  }                                                                                \
  WARPFORK_HOST type rnorm3d##suffix(type a, type b, type c) {                     \
    const type elements[3] = {a, b, c};                                            \
    return rnorm##suffix(3, elements);                                             \
  }                                                                                \
  WARPFORK_HOST type norm4d##suffix(type a, type b, type c, type d) {              \
    const type elements[4] = {a, b, c, d};                                         \
    return norm##suffix(4, elements);                                              \
  }                                                                                \
  WARPFORK_HOST type rnorm4d##suffix(type a, type b, type c, type d) {             \
    const type elements[4] = {a, b, c, d};                                         \
    return rnorm##suffix(4, elements);                                             \
  }
WARPFORK_HOST_NORMS(float, f, double, __builtin_sqrt)
WARPFORK_HOST_NORMS(double, , long double, __builtin_sqrtl)
#undef WARPFORK_HOST_NORMS

WARPFORK_HOST_SINGLE(normcdf)
WARPFORK_HOST_SINGLE(erfcx)
WARPFORK_HOST_SINGLE(erfinv)
WARPFORK_HOST_SINGLE(erfcinv)
WARPFORK_HOST_SINGLE(normcdfinv)
WARPFORK_HOST_SINGLE(cyl_bessel_i0)
WARPFORK_HOST_SINGLE(cyl_bessel_i1)
#undef WARPFORK_HOST_SINGLE

#define WARPFORK_HOST_OVERLOAD(name) \
  WARPFORK_HOST float name(float a) { return name##f(a); }
WARPFORK_HOST_OVERLOAD(rsqrt)
WARPFORK_HOST_OVERLOAD(rcbrt)
WARPFORK_HOST_OVERLOAD(sinpi)
WARPFORK_HOST_OVERLOAD(cospi)
WARPFORK_HOST_OVERLOAD(normcdf)
WARPFORK_HOST_OVERLOAD(erfcx)
WARPFORK_HOST_OVERLOAD(erfinv)
WARPFORK_HOST_OVERLOAD(erfcinv)
WARPFORK_HOST_OVERLOAD(normcdfinv)
WARPFORK_HOST_OVERLOAD(cyl_bessel_i0)
WARPFORK_HOST_OVERLOAD(cyl_bessel_i1)
WARPFORK_HOST_OVERLOAD(exp10)
WARPFORK_HOST_OVERLOAD(j0)
WARPFORK_HOST_OVERLOAD(j1)
WARPFORK_HOST_OVERLOAD(y0)
WARPFORK_HOST_OVERLOAD(y1)
#undef WARPFORK_HOST_OVERLOAD
WARPFORK_HOST float jn(int n, float a) { return jnf(n, a); }
WARPFORK_HOST float yn(int n, float a) { return ynf(n, a); }
WARPFORK_HOST void sincos(float a, float* sine, float* cosine) { sincosf(a, sine, cosine); }
WARPFORK_HOST void sincospi(float a, float* sine, float* cosine) { sincospif(a, sine, cosine); }
#undef WARPFORK_LIBRARY_FROM
#undef WARPFORK_HOST
