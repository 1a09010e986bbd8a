// Shuffles and comparisons of every type's values, of 64 bits with something in each half.
#include <cuda_runtime.h>

#include <cstdio>

#include "expect.h"

template <typename T>
__host__ __device__ T value_of(int lane) {
  return sizeof(T) == 8 ? T(lane + 1) + T(lane + 1) * T(1ll << 40) : T(lane + 1);
}

template <typename T>
__global__ void shuffle(T* out) {
  const T value = value_of<T>(threadIdx.x);
  out[threadIdx.x] = __shfl_sync(~0u, value, 3);
  out[32 + threadIdx.x] = __shfl_up_sync(~0u, value, 2, 8);
  out[64 + threadIdx.x] = __shfl_down_sync(~0u, value, 2, 16);
  out[96 + threadIdx.x] = __shfl_xor_sync(~0u, value, 5);
#ifdef __clang__  // nvcc has those without members no longer
  out[128 + threadIdx.x] = __shfl(value, 3);
  out[160 + threadIdx.x] = __shfl_up(value, 2, 8);
  out[192 + threadIdx.x] = __shfl_down(value, 2, 16);
  out[224 + threadIdx.x] = __shfl_xor(value, 5);
#endif
}

template <typename T>
void shuffles() {
  T* out = nullptr;
  cudaMallocManaged(&out, 256 * sizeof *out);
  shuffle<<<1, 32>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
#ifdef __clang__
  const int last = 128;
#else
  const int last = 0;
#endif
  for (int first = 0; first <= last; first += 128)
    for (int lane = 0; lane < 32; ++lane) {
      EXPECT(out[first + lane] == value_of<T>(3));
      EXPECT(out[first + 32 + lane] == value_of<T>(lane % 8 < 2 ? lane : lane - 2));
      EXPECT(out[first + 64 + lane] == value_of<T>(lane % 16 > 13 ? lane : lane + 2));
      EXPECT(out[first + 96 + lane] == value_of<T>(lane ^ 5));
    }
  cudaFree(out);
}

/// In groups of eight lanes the values differ in the upper half alone.
__global__ void compare(unsigned* out) {
  const unsigned long long groups = (unsigned long long)(threadIdx.x / 8) << 32 | 7;
  int is_one = -1, are_one = -1;
  out[threadIdx.x] = __match_any_sync(~0u, groups);
  out[32 + threadIdx.x] = __match_any_sync(~0u, double(threadIdx.x / 16));
  out[64 + threadIdx.x] = __match_all_sync(~0u, groups, &is_one);
  out[96 + threadIdx.x] = __match_all_sync(~0u, groups & 7, &are_one);
  out[128 + threadIdx.x] = is_one * 2 + are_one;
  out[160 + threadIdx.x] = __match_any_sync(~0u, threadIdx.x / 4);
}

void comparisons() {
  unsigned* out = nullptr;
  cudaMallocManaged(&out, 192 * sizeof *out);
  compare<<<1, 32>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT(out[lane] == 0xffu << lane / 8 * 8);
    EXPECT(out[32 + lane] == 0xffffu << lane / 16 * 16);
    EXPECT(out[64 + lane] == 0 && out[96 + lane] == ~0u && out[128 + lane] == 1);
    EXPECT(out[160 + lane] == 0xfu << lane / 4 * 4);
  }
}

int main() {
  shuffles<int>();
  shuffles<unsigned>();
  shuffles<float>();
  shuffles<long>();
  shuffles<unsigned long>();
  shuffles<long long>();
  shuffles<unsigned long long>();
  shuffles<double>();
  comparisons();
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
