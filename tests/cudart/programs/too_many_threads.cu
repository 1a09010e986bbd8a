// Asks again and again for blocks that no machine has, and whether there was an error unless NEVER_ASKS; the device
// stays usable.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void nothing() {}

int main() {
  for (int i = 0; i < 3; ++i) nothing<<<1, 2048>>>();
#ifdef NEVER_ASKS
  const char* const error = "no error";
#else
  const char* const error = cudaGetErrorName(cudaGetLastError());
#endif
  nothing<<<1, 1024>>>();
  std::printf("%s, then %s\n", error, cudaGetErrorName(cudaDeviceSynchronize()));
}
