// Device functions where CUDA's documents name the result ("CUDA Math API", the values at 0, infinity and poles), and
// where intermediate results leave the type's range though the result does not; a float's whole power is a double, as
// in C++. The other expected values are exact ones from a computation with 2000 bits; the limit, in units in the last
// place, is that of the CUDA C++ Programming Guide.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>

#include "expect.h"

// ROW(limit, value on the device, expected). clang-format would indent each row more than the last.
// clang-format off
#define ZEROS(ROW, s, zero)                                                                          \
  ROW(0, sin##s(-zero), -0.0)                                                                        \
  ROW(0, tan##s(-zero), -0.0)                                                                        \
  ROW(0, tanh##s(-zero), -0.0)                                                                       \
  ROW(0, atan##s(-zero), -0.0)                                                                       \
  ROW(0, expm1##s(-zero), -0.0)                                                                      \
  ROW(0, erf##s(-zero), -0.0)                                                                        \
  ROW(0, sinpi##s(-zero), -0.0)                                                                      \
  ROW(0, sinpi##s(1 + zero), 0.0)                                                                    \
  ROW(0, sinpi##s(-5 - zero), -0.0)                                                                  \
  ROW(0, cospi##s(zero + 2.5), 0.0)                                                                  \
  ROW(0, cospi##s(-1.5 - zero), 0.0)                                                                 \
  ROW(0, sin##s(zero), 0.0)                                                                          \
  ROW(0, normcdfinv##s(zero + 0.5), 0.0)                                                             \
  ROW(0, lgamma##s(-1 / zero), INFINITY)                                                             \
  ROW(0, rhypot##s(zero, zero), INFINITY)                                                            \
  ROW(0, rnorm3d##s(1 / zero, zero, NAN), 0.0)
#define F64_ROWS(ROW, zero)                                                                          \
  ZEROS(ROW, , zero)                                                                                 \
  ROW(1, rhypot(0x1.fffffffffffffp+1023, zero + 0x1.fffffffffffffp+1023), 0x0.2d413cccfe77ap-1022)   \
  ROW(1, rnorm4d(zero, 0x1p-1074 + zero, zero, zero), INFINITY)                                      \
  ROW(1, rnorm3d(2e-320, zero, zero), INFINITY)                                                      \
  ROW(5, normcdf(zero - 33.5), 0x1.0d97238b948c2p-816)                                               \
  ROW(6, erfcinv(zero + 0x1p-1073), 0x1.b33581eec0c84p+4)                                            \
  ROW(8, normcdfinv(zero + 0x1p-1073), -0x1.33985c2232ec1p+5)                                        \
  ROW(0, erfcx(zero - 26.7), INFINITY)                                                               \
  ROW(1, cosh(zero + 7), 0x1.1228949ba3a8cp+9)                                                       \
  ROW(1, cosh(zero - 710.25), 0x1.987d23750ae26p+1023)                                               \
  ROW(1, log(zero + 2.3985295851725063e+44), 0x1.98c12059a2b40p+6)                                   \
  ROW(2, tan(zero + 2147483647.5), 0x1.e163fd7414454p+1)                                             \
  ROW(1, rcbrt(zero + 10), 0x1.db4c7760bcff2p-2)                                                     \
  ROW(10, tgamma(zero - 0x1p-1023), -0x1p+1023)                                                      \
  ROW(10, tgamma(zero - 0x1p-1074), -INFINITY)                                                       \
  ROW(2, sinpi(zero + 0.75), 0x1.6a09e667f3bcdp-1)                                                   \
  ROW(0, y1(zero + 0x1p-1074), -INFINITY)
#define F32_ROWS(ROW, zero)                                                                          \
  ZEROS(ROW, f, zero)                                                                                \
  ROW(2, rhypotf(0x1.fffffep+127f, zero + 0x1.fffffep+127f), 0x1.6a09e7d1fda4ap-129)                 \
  ROW(2, rnorm3df(0x1.fffffep+127f, zero, 0x1.fffffep+127f), 0x1.6a09e7d1fda4ap-129)                 \
  ROW(4, erfcf(zero + 9.5f), 0x1.a4480db60fe17p-135)                                                 \
  ROW(5, normcdff(zero - 13.25f), 0x1.3a715a56dfa9ap-132)                                            \
  ROW(6, lgammaf(zero - 0x1p-65f), 0x1.686fc0af622d7p+5)                                             \
  ROW(1, rcbrtf(zero + 10), 0x1.db4c7760bcff2p-2)                                                    \
  ROW(0, pow(zero + 0x1.000002p+0f, 2), 0x1.000004000004p+0)                                         \
  ROW(0, std::pow(zero + 0x1.000002p+0f, 2), 0x1.000004000004p+0)                                    \
  ROW(1, sinpif(zero + 0.75f), 0x1.6a09e667f3bcdp-1)                                                 \
  ROW(1, cospif(zero + 0.25f), 0x1.6a09e667f3bcdp-1)
// clang-format on

#define STORE(limit, value, expected) *to++ = value;
__global__ void f64(double zero, double* to){F64_ROWS(STORE, zero)} __global__ void f32(float zero, double* to) {
  F32_ROWS(STORE, zero)
}

struct Row {
  const char* name;
  double limit, expected;
};
#define LIST(limit, value, expected) {#value, limit, expected},
static const Row f64_rows[] = {F64_ROWS(LIST, zero)};
static const Row f32_rows[] = {F32_ROWS(LIST, zero)};

/// A zero has the sign of the expected one.
static void check(const Row& row, double value, int digits, int smallest_exponent) {
  int exponent = 0;
  std::frexp(row.expected, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent - digits, smallest_exponent));
  const bool same = row.expected == value && std::signbit(row.expected) == std::signbit(value);
  if (same || (row.limit > 0 && std::fabs(value - row.expected) <= row.limit * unit)) return;
  std::printf("%s = %a, not %a\n", row.name, value, row.expected);
  ++failures;
}

int main() {
  double* values = nullptr;
  EXPECT(cudaMallocManaged(&values, 128 * sizeof *values) == cudaSuccess);
  f64<<<1, 1>>>(0, values);
  f32<<<1, 1>>>(0, values + 64);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  int i = 0;
  for (const Row& row : f64_rows) check(row, values[i++], 53, -1074);
  i = 64;
  for (const Row& row : f32_rows) check(row, values[i++], 24, -149);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
