// Quotients and remainders of 128-bit integers, and these as floating-point numbers, beside the host's.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "expect.h"

using Wide = unsigned __int128;

// Products and divisors as modular arithmetic has them, and what lies at the ends of digits of 32 and 64 bits.
static std::vector<Wide> values() {
  std::vector<Wide> all{1, 2, 3, 10, 1000000007, 998244353};
  for (const int bit : {31, 32, 33, 63, 64, 65, 95, 96, 127})
    for (const int beside : {-1, 0, 1}) all.push_back((static_cast<Wide>(1) << bit) + beside);
  all.push_back(~static_cast<Wide>(0));
  unsigned long long state = 88172645463325252ull;
  const auto next = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  };
  for (int i = 0; i < 30; ++i) all.push_back((static_cast<Wide>(next()) << 64 | next()) >> (i * 4));
  return all;
}

struct Results {
  Wide quotient, remainder;
  __int128 signed_quotient, signed_remainder;
  unsigned long long product_modulo;
};

__host__ __device__ Results divide(Wide a, Wide b) {
  const __int128 c = static_cast<__int128>(a), d = static_cast<__int128>(b);
  const unsigned long long factor = static_cast<unsigned long long>(a);
  return {a / b, a % b, c / d, c % d, static_cast<unsigned long long>(static_cast<Wide>(factor) * factor % 1000000007)};
}

__global__ void divide_all(const Wide* values, int count, Results* results) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count * count) results[i] = divide(values[i / count], values[i % count]);
}

struct Numbers {
  double exact, exact_signed;
  float rough, rough_signed;
};

__host__ __device__ Numbers numbers_of(Wide a) {
  const __int128 b = static_cast<__int128>(a);
  return {static_cast<double>(a), static_cast<double>(b), static_cast<float>(a), static_cast<float>(b)};
}

__global__ void convert_all(const Wide* values, Numbers* numbers) {
  numbers[threadIdx.x] = numbers_of(values[threadIdx.x]);
}

struct Integers {
  Wide of_double, of_float;
  __int128 signed_of_double, signed_of_float;
};

__host__ __device__ Integers integers_of(double number) {
  const float rough = static_cast<float>(number);
  return {static_cast<Wide>(std::fabs(number)), static_cast<Wide>(std::fabs(rough)), static_cast<__int128>(number),
          static_cast<__int128>(rough)};
}

__global__ void convert_back(const double* numbers, Integers* integers) {
  integers[threadIdx.x] = integers_of(numbers[threadIdx.x]);
}

struct Extremes {
  Wide above, below, nothing;
  __int128 signed_above, signed_below, signed_nothing;
};

// Out of what an integer holds; C++ says nothing, nvcc 13's programs write these.
__global__ void convert_extremes(const double* numbers, Extremes* extremes) {
  *extremes = {static_cast<Wide>(numbers[0]),     static_cast<Wide>(numbers[1]),     static_cast<Wide>(numbers[2]),
               static_cast<__int128>(numbers[0]), static_cast<__int128>(numbers[1]), static_cast<__int128>(numbers[2])};
}

template <typename T>
static T* managed(int count) {
  T* memory = nullptr;
  cudaMallocManaged(&memory, count * sizeof *memory);
  return memory;
}

// Ties and what is beside them, for 24 and for 53 bits, besides.
static std::vector<Wide> values_to_round() {
  std::vector<Wide> all = values();
  for (const int bit : {64, 100, 127})
    for (const int last : {23, 52})
      for (const int beside : {-1, 0, 1})
        for (const int odd : {0, 1}) {
          const Wide one = static_cast<Wide>(1) << bit;
          all.push_back((one | one >> (last + 1) | (odd ? one >> last : 0)) + beside);
        }
  all.push_back(0);
  return all;
}

static void check_conversions() {
  const std::vector<Wide> all = values_to_round();
  const int count = static_cast<int>(all.size());
  Wide* given = managed<Wide>(count);
  Numbers* numbers = managed<Numbers>(count);
  for (int i = 0; i < count; ++i) given[i] = all[i];
  convert_all<<<1, count>>>(given, numbers);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < count; ++i) {
    const Numbers expected = numbers_of(all[i]);
    EXPECT(numbers[i].exact == expected.exact && numbers[i].exact_signed == expected.exact_signed);
    EXPECT(numbers[i].rough == expected.rough && numbers[i].rough_signed == expected.rough_signed);
  }
}

static void check_conversions_back() {
  std::vector<double> all{0.0, 0.75, -0.75, 1.5, -1.5, 4503599627370497.5, 9007199254740993.0};
  for (int power = 50; power < 127; ++power)
    for (const double factor : {1.0, 1.25, 1.9999999, -1.0, -1.0000001}) all.push_back(std::ldexp(factor, power));
  const int count = static_cast<int>(all.size());
  double* given = managed<double>(count);
  Integers* integers = managed<Integers>(count);
  for (int i = 0; i < count; ++i) given[i] = all[i];
  convert_back<<<1, count>>>(given, integers);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < count; ++i) {
    const Integers expected = integers_of(all[i]);
    EXPECT(integers[i].of_double == expected.of_double && integers[i].of_float == expected.of_float);
    EXPECT(integers[i].signed_of_double == expected.signed_of_double);
    EXPECT(integers[i].signed_of_float == expected.signed_of_float);
  }
}

static void check_extremes() {
  double* given = managed<double>(3);
  Extremes* extremes = managed<Extremes>(1);
  given[0] = 1e39, given[1] = -1e39, given[2] = std::nan("");
  convert_extremes<<<1, 1>>>(given, extremes);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  const Wide highest_bit = static_cast<Wide>(1) << 127;
  EXPECT(extremes->above == ~static_cast<Wide>(0) && extremes->below == 0 && extremes->nothing == highest_bit);
  EXPECT(extremes->signed_above == static_cast<__int128>(highest_bit - 1));
  EXPECT(extremes->signed_below == static_cast<__int128>(highest_bit));
  EXPECT(extremes->signed_nothing == static_cast<__int128>(highest_bit));
}

int main() {
  check_conversions();
  check_conversions_back();
  check_extremes();
  const std::vector<Wide> all = values();
  const int count = static_cast<int>(all.size());
  Wide* given = nullptr;
  Results* results = nullptr;
  cudaMallocManaged(&given, count * sizeof *given);
  cudaMallocManaged(&results, count * count * sizeof *results);
  for (int i = 0; i < count; ++i) given[i] = all[i];
  divide_all<<<(count * count + 127) / 128, 128>>>(given, count, results);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < count * count; ++i) {
    const Results expected = divide(all[i / count], all[i % count]);
    EXPECT(results[i].quotient == expected.quotient);
    EXPECT(results[i].remainder == expected.remainder);
    EXPECT(results[i].signed_quotient == expected.signed_quotient);
    EXPECT(results[i].signed_remainder == expected.signed_remainder);
    EXPECT(results[i].product_modulo == expected.product_modulo);
  }
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
