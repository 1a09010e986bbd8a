// Device functions whose results are exact, bit by bit against the host's C library: remainders, products with powers
// of two, neighbours, signs. Every pair of special values, and of them with ordinary ones.
#include <cuda_runtime.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "expect.h"

template <typename T>
struct Results {
  T fmod, remainder, remquo, nextafter, copysign, ldexp, scalbln;
  int quotient, ilogb;
};

template <typename T>
__host__ __device__ Results<T> compute(T a, T b, int exponent) {
  Results<T> results{};
  results.fmod = fmod(a, b);
  results.remainder = remainder(a, b);
  results.remquo = remquo(a, b, &results.quotient);
  if (std::isnan(results.remquo)) results.quotient = 0;
  results.quotient %= 8;  // more is not promised
  results.nextafter = nextafter(a, b);
  results.copysign = copysign(a, b);
  results.ldexp = ldexp(a, exponent);
  results.scalbln = scalbln(a, exponent * 3000000000L);
  results.ilogb = ilogb(a);
  return results;
}

template <typename T>
__global__ void on_device(const T* numbers, int count, Results<T>* results) {
  const int a = blockIdx.x, b = threadIdx.x;
  results[a * count + b] = compute(numbers[a], numbers[b], (b - count / 2) * 29);
}

template <typename T>
static std::vector<T> numbers() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> all{
      0, Limits::denorm_min(), 3 * Limits::denorm_min(), Limits::min(), Limits::min() / 2, Limits::max()};
  all.insert(all.end(), {Limits::infinity(), Limits::quiet_NaN(), 1, T(0.75), 5, 38, T(1e-3), T(1e9), T(1e30)});
  all.push_back(std::nextafter(Limits::min(), T(0)));
  all.push_back(std::nextafter(T(1), T(2)));
  for (std::size_t i = 0, count = all.size(); i < count; ++i) all.push_back(-all[i]);
  return all;
}

/// A NaN is as good as another, but where only the sign changes.
template <typename T>
static bool same(T a, T b) {
  return std::isnan(a) ? std::isnan(b) : std::memcmp(&a, &b, sizeof a) == 0;
}

template <typename T>
static void check() {
  const std::vector<T> all = numbers<T>();
  const int count = int(all.size());
  T* from = nullptr;
  Results<T>* to = nullptr;
  EXPECT(cudaMallocManaged(&from, count * sizeof *from) == cudaSuccess);
  EXPECT(cudaMallocManaged(&to, count * count * sizeof *to) == cudaSuccess);
  for (int i = 0; i < count; ++i) from[i] = all[i];
  on_device<<<count, count>>>(from, count, to);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < count * count; ++i) {
    const Results<T> exact = compute(all[i / count], all[i % count], (i % count - count / 2) * 29), &got = to[i];
    EXPECT(same(got.fmod, exact.fmod) && same(got.remainder, exact.remainder));
    EXPECT(same(got.remquo, exact.remquo) && got.quotient == exact.quotient);
    EXPECT(same(got.nextafter, exact.nextafter));
    EXPECT(sizeof(T) == sizeof(float) ? same(got.copysign, exact.copysign)
                                      : std::memcmp(&got.copysign, &exact.copysign, sizeof(T)) == 0);
    EXPECT(same(got.ldexp, exact.ldexp) && same(got.scalbln, exact.scalbln));
    EXPECT(got.ilogb == exact.ilogb);
  }
}

int main() {
  check<float>();
  check<double>();
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
