// Something else lies where device memory would: managed memory is refused, everything else works.
#include <cuda_runtime.h>
#include <sys/mman.h>

#include <cstdio>

__attribute__((constructor(101))) static void take_the_address() {  // before kernels are registered
  mmap(reinterpret_cast<void*>(0xC0000000), 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

__global__ void answer(int* to) { *to = 42; }

int main() {
  int *managed = nullptr, *device = nullptr, copied = 0;
  const cudaError_t error = cudaMallocManaged(&managed, sizeof *managed);
  cudaMalloc(&device, sizeof *device);
  answer<<<1, 1>>>(device);
  cudaMemcpy(&copied, device, sizeof copied, cudaMemcpyDeviceToHost);
  std::printf("managed: %s, copied: %d\n", cudaGetErrorName(error), copied);
}
