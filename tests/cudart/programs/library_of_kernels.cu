// A shared library with a kernel and a variable of its own, whose names other libraries may have as well.
#include <cuda_runtime.h>

#include "expect.h"

__device__ int factor = FACTOR;

__global__ void multiply(int* number) { *number *= factor; }

extern "C" int multiplied(int number) {
  int* memory = nullptr;
  EXPECT(cudaMalloc(&memory, sizeof number) == cudaSuccess);
  EXPECT(cudaMemcpy(memory, &number, sizeof number, cudaMemcpyHostToDevice) == cudaSuccess);
  multiply<<<1, 1>>>(memory);
  EXPECT(cudaMemcpy(&number, memory, sizeof number, cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(cudaFree(memory) == cudaSuccess);
  return number;
}
