// Asks again and again for blocks that no machine has; the device stays usable.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void nothing() {}

int main() {
  for (int i = 0; i < 3; ++i) nothing<<<1, 2048>>>();
  const cudaError_t error = cudaGetLastError();
  nothing<<<1, 1024>>>();
  std::printf("%s, then %s\n", cudaGetErrorName(error), cudaGetErrorName(cudaDeviceSynchronize()));
}
