// CUDA C++ Programming Guide, "Programmatic Dependent Launch and Synchronization".
#include "expect.h"

__global__ void first(int* out) {
  out[threadIdx.x] = threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void second(int* out) {
  cudaGridDependencySynchronize();
  out[threadIdx.x] *= 2;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof *out);
  first<<<1, 32>>>(out);
  cudaLaunchConfig_t launch = {};
  launch.gridDim = 1;
  launch.blockDim = 32;
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  launch.attrs = &attribute;
  launch.numAttrs = 1;
  EXPECT(cudaLaunchKernelEx(&launch, second, out) == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && out[31] == 62);
  if (failures == 0) std::puts("PASS");
  return failures;
}
