// Quotients and remainders of 128-bit integers, beside the host's.
#include <cuda_runtime.h>

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

int main() {
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
