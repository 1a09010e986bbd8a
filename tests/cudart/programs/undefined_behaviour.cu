// What C++ leaves undefined and CUDA programs do all the same: nvcc compiles it as it is written.
#include "expect.h"

/// Of the leader's alone, a value that the others have not set.
__device__ int of_leader(int value, int leader) { return __shfl_sync(~0u, value, leader); }

__global__ void leader_adds(int* counter, int* out) {
  int first;
  if (threadIdx.x == 3) first = atomicAdd(counter, 32);
  out[threadIdx.x] = of_leader(first, 3) + threadIdx.x;
}

#pragma clang diagnostic ignored "-Wreturn-type"
/// Nothing is returned at the end, and nobody asks for it.
__host__ __device__ __attribute__((noinline)) int put(int* out, int x) {
  if (x > 5) return out[x] = 2 * x;
  out[x] = -1;
}

__global__ void put_each(int* out) { put(out, threadIdx.x); }

/// One piece of shared memory, of two types; then one of global memory.
__global__ void two_types(float* out) {
  __shared__ float shared[32];
  int* same = (int*)shared;
  shared[threadIdx.x] = 1.0f;
  same[threadIdx.x] = 0x40000000;  // 2.0f
  out[threadIdx.x] = shared[threadIdx.x];
  ((int*)out)[threadIdx.x] += 0x00800000;  // twice as much
  out[threadIdx.x] += 1.0f;
}

int main() {
  int *out, there = 0, host[8];
  cudaMallocManaged(&out, 33 * sizeof *out);
  out[32] = 100;
  leader_adds<<<1, 32>>>(out + 32, out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && out[32] == 132 && out[0] == 100 && out[31] == 131);
  put_each<<<1, 8>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int x = 0; x < 8; ++x) {
    put(host, x);
    there += out[x] == host[x] && host[x] == (x > 5 ? 2 * x : -1);
  }
  EXPECT(there == 8);
  two_types<<<1, 32>>>((float*)out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && ((float*)out)[31] == 5.0f);
  if (failures == 0) std::puts("PASS");
  return failures;
}
