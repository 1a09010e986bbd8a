// Memory of the host's own that kernels reach once it is registered. Prints one line per failure, PASS at the end.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "expect.h"

__global__ void double_each(int* numbers) { numbers[threadIdx.x] *= 2; }

static void kernels_read_and_write_the_hosts_own_memory() {
  std::vector<int> own(64, 3);
  int* seen = nullptr;
  EXPECT(cudaHostRegister(own.data(), 32 * sizeof(int), cudaHostRegisterMapped) == cudaSuccess);
  EXPECT(cudaHostGetDevicePointer(&seen, own.data(), 0) == cudaSuccess);
  double_each<<<1, 32>>>(seen);
  own[31] += 1;
  double_each<<<1, 32>>>(seen);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(own[0] == 12 && own[31] == 14 && own[32] == 3);
  cudaPointerAttributes attributes;
  EXPECT(cudaPointerGetAttributes(&attributes, own.data() + 1) == cudaSuccess);
  EXPECT(attributes.type == cudaMemoryTypeHost && attributes.devicePointer == seen + 1);
  int back = 0;
  EXPECT(cudaMemcpy(&back, seen + 31, sizeof back, cudaMemcpyDeviceToHost) == cudaSuccess && back == 14);
  EXPECT(cudaHostUnregister(own.data()) == cudaSuccess);
  EXPECT(cudaHostGetDevicePointer(&seen, own.data(), 0) == cudaErrorInvalidValue);
}

int main() {
  kernels_read_and_write_the_hosts_own_memory();
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
