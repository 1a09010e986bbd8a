// Device code of two source files: functions, variables and a table of pointers that the other one defines.
#include <cuda_runtime.h>

#include <cstdio>

#include "linked.h"

static __device__ int offset = 3;  // the other file has another one

static __device__ __noinline__ int moved(int value) { return value + offset; }

__global__ void compute(float* weights, int* values) {
  const Item item{2.0f, static_cast<int>(threadIdx.x)};
  weights[threadIdx.x] = weigh(item, 3) * scale[threadIdx.x % 4];
  values[threadIdx.x] = plus<1>(moved(twice(threadIdx.x))) + operations[threadIdx.x % 2](10);
  atomicAdd(&calls, 1);
}

int main() {
  float *weights, to_scale[4] = {1, 2, 3, 4};
  int *values, counted = 0;
  cudaMallocManaged(&weights, 32 * sizeof(float));
  cudaMallocManaged(&values, 32 * sizeof(int));
  cudaMemcpyToSymbol(scale, to_scale, sizeof to_scale);
  compute<<<1, 32>>>(weights, values);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  cudaMemcpyFromSymbol(&counted, calls, sizeof counted);
  right &= counted == 32;
  for (int i = 0; i < 32; ++i)
    right &= weights[i] == (2.0f * i + 3 + 5) * to_scale[i % 4] && values[i] == 2 * i + 3 + 1 + (i % 2 ? 20 : 11);
  right &= part_passes(weights);
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
