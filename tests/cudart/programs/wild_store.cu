// Stores far outside of its memory; the error must stay.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void store(int* to) { to[1 << 20] = 1; }

int main() {
  int* memory;
  cudaMalloc(&memory, 256);
  store<<<1, 1>>>(memory);
  std::printf("%s, %s\n", cudaGetErrorName(cudaGetLastError()), cudaGetErrorName(cudaDeviceSynchronize()));
}
