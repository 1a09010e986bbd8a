// With -ftz=true comparisons take subnormal numbers for 0; their neighbours are found nevertheless.
#include <cuda_runtime.h>

#include "expect.h"

__global__ void neighbours(int* to, int three) {
  to[0] = __float_as_int(nextafterf(__int_as_float(three), 1));
  to[1] = __float_as_int(nextafterf(__int_as_float(three), -1));
}

int main() {
  int* to = nullptr;
  EXPECT(cudaMallocManaged(&to, 2 * sizeof *to) == cudaSuccess);
  neighbours<<<1, 1>>>(to, 3);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(to[0] == 4 && to[1] == 2);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
