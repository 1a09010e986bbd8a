// threadIdx, blockIdx, blockDim and gridDim, copied and given to functions.
#include "expect.h"

template <typename Index, typename Extent>
__device__ unsigned flat(Index index, Extent extent) {
  return index.x + index.y * extent.x;
}
__device__ unsigned volume(dim3 extent) { return extent.x * extent.y * extent.z; }
__device__ unsigned third(uint3 index) { return index.z; }

__global__ void indices(unsigned* out) {
  const auto thread = threadIdx;
  auto block = blockIdx;
  dim3 extent(blockDim), grid = gridDim;
  uint3 same = thread;
  const auto place = [=] { return flat(block, gridDim) * volume(blockDim) + third(thread) * 8; };
  out[place() + flat(threadIdx, blockDim)] =
      flat(same, extent) + 100 * flat(block, grid) + 1000 * third(threadIdx) + 10000 * volume(gridDim);
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 4 * 16 * sizeof *out);
  indices<<<dim3(2, 2), dim3(4, 2, 2)>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 64; ++i) EXPECT(out[i] == i % 8 + 100 * (i / 16) + 1000 * (i / 8 % 2) + 40000);
  if (failures == 0) std::puts("PASS");
  return failures;
}
