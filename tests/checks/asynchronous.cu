// Copies that go on beside the threads, and barriers in memory, by NVIDIA's own headers for sm_80: a sum over tiles of
// which the next one is fetched while one is used, and a block that waits at a cuda::barrier for its copy. Prints PASS,
// or what is wrong.
#include <cuda_pipeline.h>

#include <cstdio>
#include <cuda/barrier>

constexpr int kThreads = 128, kTiles = 5, kNumbers = kTiles * kThreads * 4;

// `valid` numbers are there; the rest counts as zero.
__global__ void sum_up(const float4* from, float* to, int valid) {
  __shared__ float4 tiles[2][kThreads];
  const int self = threadIdx.x;
  const auto fetch = [&](int tile) {
    const int left = max(0, min(valid - (tile * kThreads + self) * 4, 4));
    __pipeline_memcpy_async(&tiles[tile % 2][self], from + tile * kThreads + self, sizeof(float4), 16 - 4 * left);
    __pipeline_commit();
  };
  float sum = 0;
  fetch(0);
  for (int tile = 0; tile < kTiles; ++tile) {
    if (tile + 1 < kTiles) fetch(tile + 1);
    __pipeline_wait_prior(tile + 1 < kTiles ? 1 : 0);
    __syncthreads();
    const float4 other = tiles[tile % 2][kThreads - 1 - self];
    sum += other.x + 2 * other.y + 3 * other.z + 4 * other.w;
    __syncthreads();
  }
  to[self] = sum;
}

__global__ void reverse(const int* from, int* to) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int copy[kThreads];
  if (threadIdx.x == 0) init(&barrier, kThreads);
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    const int block = round * kThreads;
    cuda::memcpy_async(copy + threadIdx.x, from + block + threadIdx.x, sizeof(int), barrier);
    barrier.arrive_and_wait();
    to[block + threadIdx.x] = copy[kThreads - 1 - threadIdx.x];
    barrier.arrive_and_wait();
  }
}

int main() {
  float *numbers, *sums;
  int *from, *to;
  cudaMallocManaged(&numbers, kNumbers * sizeof(float));
  cudaMallocManaged(&sums, kThreads * sizeof(float));
  cudaMallocManaged(&from, 3 * kThreads * sizeof(int));
  cudaMallocManaged(&to, 3 * kThreads * sizeof(int));
  for (int i = 0; i < kNumbers; ++i) numbers[i] = i % 17;
  for (int i = 0; i < 3 * kThreads; ++i) from[i] = i * i;
  // A whole warp copies nothing: threads of one would part, and come apart to barriers.
  constexpr int kValid = kNumbers - 32 * 4;
  sum_up<<<1, kThreads>>>(reinterpret_cast<float4*>(numbers), sums, kValid);
  reverse<<<1, kThreads>>>(from, to);
  if (cudaDeviceSynchronize() != cudaSuccess) return std::puts("failed"), 1;
  for (int i = 0; i < kThreads; ++i) {
    float expected = 0;
    for (int tile = 0; tile < kTiles; ++tile)
      for (int k = 0; k < 4; ++k) {
        const int at = (tile * kThreads + kThreads - 1 - i) * 4 + k;
        if (at < kValid) expected += (k + 1) * numbers[at];
      }
    if (sums[i] != expected) return std::printf("sum %d: %g, not %g\n", i, sums[i], expected), 1;
  }
  for (int i = 0; i < 3 * kThreads; ++i)
    if (to[i] != from[i / kThreads * kThreads + kThreads - 1 - i % kThreads]) return std::printf("number %d\n", i), 1;
  std::puts("PASS");
}
