// Device functions that libclc does not have, against the host's in long double, the inverses by what they invert.
// Errors are relative, of numbers below 1 absolute where a function has zeros (`floor` 1).
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

#include "expect.h"

constexpr int kCount = 512;

#define FUNCTIONS(FUNCTION)                                               \
  FUNCTION(tgamma, -150, 171, 0, tgammal(x))                              \
  FUNCTION(erfcx, -20, 60, 0, expl(x* x) * erfcl(x))                      \
  FUNCTION(j0, -80, 80, 1, j0l(x))                                        \
  FUNCTION(j1, -80, 80, 1, j1l(x))                                        \
  FUNCTION(y0, 0.01, 80, 1, y0l(x))                                       \
  FUNCTION(y1, 0.01, 80, 1, y1l(x))                                       \
  FUNCTION(cyl_bessel_i0, -40, 80, 0, std::cyl_bessel_i(0, std::fabs(x))) \
  FUNCTION(cyl_bessel_i1, 0, 80, 0, std::cyl_bessel_i(1, x))

#define KERNELS(name, first, last, floor, exact)                                                    \
  __global__ void f64_##name(const double* x, double* y) { y[threadIdx.x] = name(x[threadIdx.x]); } \
  __global__ void f32_##name(const double* x, double* y) { y[threadIdx.x] = name##f(float(x[threadIdx.x])); }
FUNCTIONS(KERNELS)

static double *arguments, *results;

static void check(const char* name, void (*kernel)(const double*, double*), double first, double last, double floor,
                  long double (*exact)(long double), bool is_f32) {
  for (int i = 0; i < kCount; ++i) {
    arguments[i] = first + (last - first) * (i + 0.375) / kCount;
    if (is_f32) arguments[i] = float(arguments[i] / 5);
  }
  kernel<<<1, kCount>>>(arguments, results);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  const double limit = is_f32 ? 0x1p-23 : 2.5e-15;
  for (int i = 0; i < kCount; ++i) {
    const long double value = exact(arguments[i]);
    const long double away = std::fabs(results[i] - value) / std::fmax(std::fabs(value), (long double)floor);
    if (away <= limit) continue;
    std::printf("%s(%.17g) = %.17g, %Lg away\n", name, arguments[i], results[i], away);
    ++failures;
  }
}

/// erf(erfinv(x)) = x, and the like; a unit in the last place of y is y x'(y) of x.
__global__ void inverses(double* y) {
  const double x = (threadIdx.x + 0.5) / kCount;
  y[threadIdx.x] = erfinv(x);
  y[kCount + threadIdx.x] = erfcinv(2 * x);
  y[2 * kCount + threadIdx.x] = normcdfinv(x);
  y[3 * kCount + threadIdx.x] = erfcinv(exp2(-2.0 * threadIdx.x));
  y[4 * kCount + threadIdx.x] = erfinvf(float(x));
}

static void inverses_invert() {
  double* y = nullptr;
  cudaMallocManaged(&y, 5 * kCount * sizeof *y);
  inverses<<<1, kCount>>>(y);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < kCount; ++i) {
    const long double x = (i + 0.5L) / kCount, tail = std::exp2(-2.0L * i);
    EXPECT(std::fabs(std::erf((long double)y[i]) - x) < 1e-15L);
    EXPECT(std::fabs(std::erfc((long double)y[kCount + i]) - 2 * x) < 1e-15L);
    EXPECT(std::fabs(std::erfc(-y[2 * kCount + i] / std::sqrt(2.0L)) / 2 - x) < 1e-15L);
    const long double far = y[3 * kCount + i];
    EXPECT(std::fabs(std::erfc(far) - tail) < tail * (1 + 2 * far * far) * 1e-15L);
    EXPECT(std::fabs(std::erf((long double)y[4 * kCount + i]) - x) < 1e-7L);
  }
}

/// Values of DLMF's limiting forms and of the definitions.
__global__ void particular(double* y, const double* elements) {
  const double infinity = 1 / elements[3];
  y[0] = tgamma(elements[3]) == infinity && isnan(tgamma(-2.0)) && tgamma(11.0) == 3628800;
  y[1] = y0(elements[3]) == -infinity && isnan(y1(-1.0)) && j0(elements[3]) == 1 && j1(infinity) == 0;
  y[2] = erfinv(1.0) == infinity && isnan(erfinv(1.5)) && erfcinv(2.0) == -infinity && normcdfinv(0.5) == 0;
  y[3] = norm(3, elements) == 13e200 && norm3d(3.0, 4.0, 12.0) == 13 && norm4df(1, 1, 1, 1) == 2;
  y[4] = rnorm(3, elements) == 1 / 13e200 && rnorm3df(2, 3, 6) == 1 / 7.0f && norm3df(infinity, 0, NAN) == INFINITY;
  y[5] = normf(0, nullptr) == 0 && norm4d(3e-320, 0, 0, 4e-320) == 5e-320 && isnan(norm3d(0, NAN, 0));
  y[6] = fabs(jn(2, 1.0) - 0.11490348493190048) < 1e-16 && fabs(jn(40, 1.5) / 1.1e-53 - 1) < 1;
  y[7] = fabs(yn(2, 1.0) + 1.6506826068162544) < 1e-15 && fabs(jn(3, -30.0) - -jn(3, 30.0)) == 0;
}

static void particular_values() {
  const double elements[4] = {3e200, 4e200, 12e200, 0};
  for (int i = 0; i < 4; ++i) arguments[i] = elements[i];
  particular<<<1, 1>>>(results, arguments);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 8; ++i) {
    if (results[i] != 1) std::printf("particular values %d\n", i), ++failures;
  }
}

int main() {
  cudaMallocManaged(&arguments, kCount * sizeof *arguments);
  cudaMallocManaged(&results, kCount * sizeof *results);
#define CHECK(name, first, last, floor, exact)                                                           \
  check(                                                                                                 \
      #name, f64_##name, first, last, floor, [](long double x) -> long double { return exact; }, false); \
  check(                                                                                                 \
      #name "f", f32_##name, first, last, floor, [](long double x) -> long double { return exact; }, true);
  FUNCTIONS(CHECK)
  inverses_invert();
  particular_values();
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
