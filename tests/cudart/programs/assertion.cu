// Two of four threads fail their assertion; the error must stay.
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>

__global__ void check(int n) {
  if (threadIdx.x == 0) printf("before\n");
  assert(threadIdx.x < n);
}

int main() {
  check<<<1, 4>>>(2);
  std::printf("%s, %s\n", cudaGetErrorName(cudaGetLastError()), cudaGetErrorString(cudaDeviceSynchronize()));
}
