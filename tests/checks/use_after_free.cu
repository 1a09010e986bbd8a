// The second launch is given an address that was freed, where another buffer may lie by then.
#include <cuda_runtime.h>

__global__ void add(int* data) { data[threadIdx.x] += 1; }

int main() {
  int *first, *second;
  if (cudaMalloc(&first, 256) != cudaSuccess || cudaMemset(first, 0, 256) != cudaSuccess) return 2;
  add<<<1, 64>>>(first);
  cudaFree(first);
  if (cudaMalloc(&second, 256) != cudaSuccess) return 2;
  add<<<1, 64>>>(first);
  return cudaDeviceSynchronize() != cudaSuccess;
}
