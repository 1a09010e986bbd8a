// CUDA's mathematical functions in host code, which the C library does not have: against values of a computation with
// 2000 bits (host_mathematics.def), at the arguments of which CUDA's documents name the result ("CUDA Math API"), and
// in a function that is compiled for both sides. Functions are told apart by their parameters where C++ does so.
#include <cuda_runtime.h>

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "expect.h"

using namespace std;  // which is to make no name ambiguous

/// In units in the last place: of one rounding, and what precedes it.
constexpr double kLimit = 0.51;

template <typename T>
void check(const char* name, T value, long double exact) {
  const T nearest = static_cast<T>(exact);
  if (isinf(nearest) && value == nearest) return;
  int exponent = 0;
  frexp(exact, &exponent);
  exponent = std::max(exponent, numeric_limits<T>::min_exponent);
  const long double away = fabs(value - exact) / ldexp(1.0L, exponent - numeric_limits<T>::digits);
  if (away <= kLimit) return;
  printf("%s of %zu bytes: %La, %Lg units in the last place from %La\n", name, sizeof(T), (long double)value, away,
         exact);
  ++failures;
}

/// Of the two of single precision the second is the overload of the first name.
static void check_both(const char* name, double argument, long double exact, double (*f64)(double), float (*f32)(float),
                       float (*overload)(float)) {
  check(name, f64(argument), exact);
  if (float(argument) != argument) return;
  check(name, f32(argument), exact);
  check(name, overload(argument), exact);
}

template <typename T>
void check_norms(int count, const double* arguments, long double exact, long double reciprocal,
                 T (*norm)(int, const T*), T (*rnorm)(int, const T*)) {
  T elements[4];
  for (int i = 0; i < count; ++i) {
    elements[i] = T(arguments[i]);
    if (elements[i] != arguments[i]) return;
  }
  check("norm", norm(count, elements), exact);
  check("rnorm", rnorm(count, elements), reciprocal);
}

static void values() {
#define VALUE(name, argument, exact) check_both(#name, argument, exact, name, name##f, name);
#define NORMS(count, exact, reciprocal, ...)                                  \
  {                                                                           \
    const double elements[] = {__VA_ARGS__};                                  \
    check_norms<double>(count, elements, exact, reciprocal, ::norm, ::rnorm); \
    check_norms<float>(count, elements, exact, reciprocal, normf, rnormf);    \
  }
#define NORMS2(a, b, exact, reciprocal)      \
  NORMS(2, exact, reciprocal, a, b)          \
  check("rhypot", rhypot(a, b), reciprocal); \
  if (float(a) == a && float(b) == b) check("rhypot", rhypotf(a, b), reciprocal);
#define NORMS3(a, b, c, exact, reciprocal)               \
  NORMS(3, exact, reciprocal, a, b, c)                   \
  check("norm3d", norm3d(a, b, c), exact);               \
  check("rnorm3d", rnorm3d(a, b, c), reciprocal);        \
  if (float(a) == a && float(b) == b && float(c) == c) { \
    check("norm3d", norm3df(a, b, c), exact);            \
    check("rnorm3d", rnorm3df(a, b, c), reciprocal);     \
  }
#define NORMS4(a, b, c, d, exact, reciprocal)                             \
  NORMS(4, exact, reciprocal, a, b, c, d)                                 \
  check("norm4d", norm4d(a, b, c, d), exact);                             \
  check("rnorm4d", rnorm4d(a, b, c, d), reciprocal);                      \
  if (float(a) == a && float(b) == b && float(c) == c && float(d) == d) { \
    check("norm4d", norm4df(a, b, c, d), exact);                          \
    check("rnorm4d", rnorm4df(a, b, c, d), reciprocal);                   \
  }
#include "host_mathematics.def"
}

// ROW(value, expected), of one type by the suffix. clang-format would indent each row more than the last.
// clang-format off
#define ROWS(ROW, s)                                                                                   \
  ROW(rsqrt##s(zero), infinity) ROW(rsqrt##s(-zero), -infinity) ROW(rsqrt##s(infinity), 0)             \
  ROW(rsqrt##s(-one), nan) ROW(rsqrt##s(nan), nan)                                                     \
  ROW(rcbrt##s(zero), infinity) ROW(rcbrt##s(-zero), -infinity) ROW(rcbrt##s(infinity), 0)             \
  ROW(rcbrt##s(-infinity), -0.0) ROW(rcbrt##s(nan), nan)                                               \
  ROW(sinpi##s(zero), 0) ROW(sinpi##s(-zero), -0.0) ROW(sinpi##s(one), 0)                              \
  ROW(sinpi##s(-5 * one), -0.0)                                                                        \
  ROW(sinpi##s(infinity), nan) ROW(sinpi##s(-infinity), nan) ROW(sinpi##s(nan), nan)                   \
  ROW(sinpi##s(one * 0x1p100f), 0) ROW(cospi##s(one * 0x1p100f), 1)                                    \
  ROW(cospi##s(zero), 1) ROW(cospi##s(-zero), 1) ROW(cospi##s(one / 2), 0) ROW(cospi##s(-one / 2), 0)  \
  ROW(cospi##s(5 * one / 2), 0) ROW(cospi##s(-3 * one / 2), 0) ROW(cospi##s(infinity), nan)            \
  ROW(cospi##s(nan), nan)                                                                              \
  ROW(normcdf##s(infinity), 1) ROW(normcdf##s(-infinity), 0) ROW(normcdf##s(nan), nan)                 \
  ROW(normcdf##s(zero), 0.5) ROW(normcdf##s(-1000 * one), 0) ROW(normcdf##s(1000 * one), 1)            \
  ROW(erfcx##s(-infinity), infinity) ROW(erfcx##s(infinity), 0) ROW(erfcx##s(nan), nan)                \
  ROW(erfcx##s(-28 * one), infinity) ROW(erfcx##s(zero), 1)                                            \
  ROW(erfinv##s(zero), 0) ROW(erfinv##s(-zero), -0.0) ROW(erfinv##s(one), infinity)                    \
  ROW(erfinv##s(-one), -infinity) ROW(erfinv##s(2 * one), nan) ROW(erfinv##s(-infinity), nan)          \
  ROW(erfinv##s(nan), nan)                                                                             \
  ROW(erfcinv##s(zero), infinity) ROW(erfcinv##s(-zero), infinity) ROW(erfcinv##s(2 * one), -infinity) \
  ROW(erfcinv##s(one), 0) ROW(erfcinv##s(-one), nan) ROW(erfcinv##s(3 * one), nan)                     \
  ROW(erfcinv##s(nan), nan)                                                                            \
  ROW(normcdfinv##s(zero), -infinity) ROW(normcdfinv##s(-zero), -infinity)                             \
  ROW(normcdfinv##s(one), infinity) ROW(normcdfinv##s(one / 2), 0) ROW(normcdfinv##s(-one), nan)       \
  ROW(normcdfinv##s(2 * one), nan) ROW(normcdfinv##s(nan), nan)                                        \
  ROW(cyl_bessel_i0##s(zero), 1) ROW(cyl_bessel_i0##s(infinity), infinity)                             \
  ROW(cyl_bessel_i0##s(-infinity), infinity) ROW(cyl_bessel_i0##s(720 * one), infinity)                \
  ROW(cyl_bessel_i0##s(nan), nan)                                                                      \
  ROW(cyl_bessel_i1##s(zero), 0) ROW(cyl_bessel_i1##s(-zero), -0.0)                                    \
  ROW(cyl_bessel_i1##s(infinity), infinity) ROW(cyl_bessel_i1##s(-infinity), -infinity)                \
  ROW(cyl_bessel_i1##s(-720 * one), -infinity) ROW(cyl_bessel_i1##s(nan), nan)                         \
  ROW(norm##s(0, nullptr), 0) ROW(rnorm##s(0, nullptr), infinity)                                      \
  ROW(norm3d##s(zero, -zero, zero), 0) ROW(rhypot##s(zero, -zero), infinity)                           \
  ROW(norm3d##s(nan, one, -infinity), infinity) ROW(norm4d##s(one, one, nan, one), nan)                \
  ROW(rhypot##s(nan, infinity), 0) ROW(rnorm3d##s(zero, nan, zero), nan)                               \
  ROW(rnorm4d##s(-infinity, one, nan, one), 0)
// clang-format on

#define SAME(value, expected) expect_same(#value, value, expected);
static void expect_same(const char* name, double value, double expected) {
  if (isnan(expected) ? isnan(value) : value == expected && signbit(value) == signbit(expected)) return;
  printf("%s is %g, not %g\n", name, value, expected);
  ++failures;
}

static void special_values() {
  {
    const double zero = 0, one = 1, infinity = INFINITY, nan = NAN;
    ROWS(SAME, )
  }
  {
    const float zero = 0, one = 1, infinity = INFINITY, nan = NAN;
    ROWS(SAME, f)
  }
}

static void other_functions() {
  double sine = 0, cosine = 0;
  float sinef = 0, cosinef = 0;
  sincospi(0.3, &sine, &cosine);
  EXPECT(sine == sinpi(0.3) && cosine == cospi(0.3));
  sincospif(0.3f, &sinef, &cosinef);
  EXPECT(sinef == sinpif(0.3f) && cosinef == cospif(0.3f));
  sincospi(1.25f, &sinef, &cosinef);
  EXPECT(sinef == cosinef && sinef == -0.707106781f);
  sincos(0.3f, &sinef, &cosinef);
  EXPECT(sinef == sinf(0.3f) && cosinef == cosf(0.3f));
  EXPECT(fdividef(1, 3) == 1.0f / 3 && rhypot(3, 4) == 0.2 && exp10(2.0f) == 100);
  EXPECT(umin(1, -1) == 1 && umax(1, -1) == 0xffffffffu);
  EXPECT(llmin(1ll << 40, -1) == -1 && llmax(1ll << 40, -1) == 1ll << 40);
  EXPECT(ullmin(1ull << 40, -1) == 1ull << 40 && ullmax(1ull << 40, -1) == ~0ull);
  static_assert(is_same<decltype(exp10(1.0f)), float>::value && is_same<decltype(j0(1.0f)), float>::value &&
                    is_same<decltype(yn(1, 1.0f)), float>::value && is_same<decltype(::rsqrtf(1)), float>::value,
                "overloads for float");
  EXPECT(norm(complex<double>(3, 4)) == 25);
}

constexpr int kResults = 21;

__host__ __device__ void both_sides(double x, double* y) {
  static_assert(is_same<decltype(jn(2, 1.0f)), float>::value && is_same<decltype(rsqrt(1.0)), double>::value,
                "overloads for float");
  const double elements[2] = {x, 1};
  const float f = static_cast<float>(x), floats[2] = {f, 1};
  double sine, cosine;
  sincospi(x, &sine, &cosine);
  const double results[kResults] = {rsqrt(x),
                                    rcbrt(x),
                                    sine,
                                    cosine,
                                    normcdf(x),
                                    normcdfinv(x),
                                    erfinv(x),
                                    erfcinv(x),
                                    erfcx(x),
                                    cyl_bessel_i0(x),
                                    cyl_bessel_i1(x),
                                    norm(2, elements) + rhypot(x, 1) + norm3d(x, 1, 2) + rnorm4d(x, 1, 2, 3),
                                    rsqrt(f) + rcbrt(f),
                                    sinpif(f) + cospi(f),
                                    normcdf(f) + normcdfinvf(f),
                                    erfinv(f) + ::erfcinvf(f),
                                    erfcx(f) + cyl_bessel_i0f(f),
                                    rnormf(2, floats) + rhypotf(f, 1) + rnorm3df(f, 1, 2) + norm4df(f, 1, 2, 3),
                                    fdividef(f, 3) + exp10(f),
                                    jn(2, f) + yn(3, f),
                                    double(umax(3, 4) + llmin(-3, 4) + ullmax(3, 4))};
  for (int i = 0; i < kResults; ++i) y[i] = results[i];
}
__global__ void on_device(double* y) { both_sides((threadIdx.x + 0.5) / 32, y + kResults * threadIdx.x); }

/// As far apart as the device's may be from the exact value.
static void sides_agree() {
  double *y = nullptr, here[kResults];
  EXPECT(cudaMallocManaged(&y, 32 * kResults * sizeof *y) == cudaSuccess);
  on_device<<<1, 32>>>(y);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int thread = 0; thread < 32; ++thread) {
    both_sides((thread + 0.5) / 32, here);
    for (int i = 0; i < kResults; ++i) {
      const double there = y[kResults * thread + i];
      if (fabs(there - here[i]) <= (i < 12 ? 4e-15 : 1e-6) * fabs(here[i])) continue;
      printf("result %d of thread %d: %.17g, on the host %.17g\n", i, thread, there, here[i]);
      ++failures;
    }
  }
}

int main() {
  values();
  special_values();
  other_functions();
  sides_agree();
  puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
