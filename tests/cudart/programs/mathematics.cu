// Device mathematics of `warpfork cc` against the host's, in units in the last place; the limits are those that the
// CUDA C++ Programming Guide ("Mathematical Functions") promises or stricter.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

// FUNCTION(name, limit for f32, limit for f64). clang-format would indent each row more than the last.
// clang-format off
#define FUNCTIONS(FUNCTION)                                                               \
  FUNCTION(exp, 2, 3) FUNCTION(exp2, 2, 3) FUNCTION(log, 2, 3) FUNCTION(log2, 2, 3)       \
  FUNCTION(log10, 2, 3) FUNCTION(sin, 2, 3) FUNCTION(cos, 2, 3) FUNCTION(tan, 4, 4)       \
  FUNCTION(sinh, 3, 4) FUNCTION(cosh, 3, 4) FUNCTION(tanh, 2, 4) FUNCTION(asin, 4, 3)     \
  FUNCTION(acos, 3, 3) FUNCTION(atan, 2, 3) FUNCTION(expm1, 2, 3) FUNCTION(log1p, 2, 3)   \
  FUNCTION(cbrt, 1, 5) FUNCTION(erf, 2, 3) FUNCTION(sqrt, 0.5, 0.5) FUNCTION(floor, 0, 0) \
  FUNCTION(ceil, 0, 0) FUNCTION(trunc, 0, 0) FUNCTION(round, 0, 0) FUNCTION(rint, 0, 0)
// clang-format on

#define KERNELS(name, limit_f32, limit_f64)                                         \
  __global__ void f32_##name(const float* x, float* y) {                            \
    y[blockIdx.x * 256 + threadIdx.x] = name##f(x[blockIdx.x * 256 + threadIdx.x]); \
  }                                                                                 \
  __global__ void f64_##name(const double* x, double* y) {                          \
    y[blockIdx.x * 256 + threadIdx.x] = name(x[blockIdx.x * 256 + threadIdx.x]);    \
  }
FUNCTIONS(KERNELS)

template <typename T>
std::vector<T> arguments() {
  std::vector<T> x;
  for (double v = 1e-30; v < 1e30; v *= 1.37) x.insert(x.end(), {T(v), T(-v)});
  for (int i = -1000; i < 1000; ++i) x.insert(x.end(), {T(i * 0.149), T(i * 0.001)});
  const T infinity = std::numeric_limits<T>::infinity();
  x.insert(x.end(), {T(0), infinity, -infinity, std::numeric_limits<T>::quiet_NaN(), T(105616), T(1e-40)});
  x.resize((x.size() + 255) / 256 * 256, T(0.5));
  return x;
}

/// Distance from the exact value in units in the last place of T; infinite if one of them is special and not the other.
template <typename T>
double distance(T value, long double exact) {
  const T nearest = static_cast<T>(exact);
  if (std::isnan(nearest)) return std::isnan(value) ? 0 : INFINITY;
  if (std::isinf(nearest) || std::isinf(value)) return nearest == value ? 0 : INFINITY;
  int exponent = 0;
  std::frexp(nearest, &exponent);
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
  return double(std::fabs(value - exact) / std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits));
}

template <typename T>
bool holds(const char* name, void (*kernel)(const T*, T*), long double (*exact)(long double), double limit) {
  const std::vector<T> x = arguments<T>();
  std::vector<T> y(x.size());
  T *from, *to;
  cudaMalloc(&from, x.size() * sizeof(T));
  cudaMalloc(&to, x.size() * sizeof(T));
  cudaMemcpy(from, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice);
  kernel<<<x.size() / 256, 256>>>(from, to);
  if (cudaMemcpy(y.data(), to, x.size() * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess) return false;
  cudaFree(from);
  cudaFree(to);
  bool good = true;
  for (std::size_t i = 0; i < x.size() && good; ++i) {
    const double away = distance(y[i], exact(x[i]));
    good = away <= limit;
    if (!good)
      std::printf("%s(%.9g) of %zu bytes = %.17g, %g units in the last place away\n", name, double(x[i]), sizeof(T),
                  double(y[i]), away);
  }
  return good;
}

int main() {
  bool good = true;
#define CHECK(name, limit_f32, limit_f64)                                      \
  good &= holds<float>(                                                        \
      #name, f32_##name, [](long double x) { return name##l(x); }, limit_f32); \
  good &= holds<double>(                                                       \
      #name, f64_##name, [](long double x) { return name##l(x); }, limit_f64);
  FUNCTIONS(CHECK)
  std::printf(good ? "PASS\n" : "FAIL\n");
  return !good;
}
