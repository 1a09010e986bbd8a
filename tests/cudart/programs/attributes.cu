// Attributes of CUDA 12 and later, and a kernel's number of registers as the runtime tells it.
#include "expect.h"

struct Table {
  int values[8];
};

__device__ __nv_pure__ int twice(int x) { return 2 * x; }
__global__ void look_up(const __grid_constant__ Table table, int* out) {
  const Table* whole = &table;
  out[threadIdx.x] = twice(whole->values[threadIdx.x]);
}

template <int kRegisters>
__global__ void __maxnreg__(kRegisters) many_sums(const float* in, float* out) {
  float sums[40];
#pragma unroll
  for (int i = 0; i < 40; ++i) sums[i] = in[i * 32 + threadIdx.x];
#pragma unroll 1
  for (int round = 0; round < 40; ++round)
#pragma unroll
    for (int i = 0; i < 40; ++i) sums[i] += sums[(i + 1) % 40] * in[round];
#pragma unroll
  for (int i = 0; i < 40; ++i) out[i * 32 + threadIdx.x] = sums[i];
}

int main() {
  Table table;
  for (int i = 0; i < 8; ++i) table.values[i] = i;
  int *out, blocks = 0;
  cudaMallocManaged(&out, sizeof table);
  look_up<<<1, 8>>>(table, out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && out[7] == 14);
  cudaFuncAttributes few, more;
  EXPECT(cudaFuncGetAttributes(&few, many_sums<24>) == cudaSuccess && few.numRegs <= 24);
  EXPECT(cudaFuncGetAttributes(&more, many_sums<200>) == cudaSuccess && more.numRegs > 40);
  EXPECT(few.maxThreadsPerBlock == 1024);
  EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, look_up, 32, 0,
                                                                cudaOccupancyDisableCachingOverride) == cudaSuccess);
  EXPECT(blocks > 1);
  int threads = 0, grid = 0;
  EXPECT(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &threads, look_up, 0, 64,
                                                     cudaOccupancyDisableCachingOverride) == cudaSuccess);
  EXPECT(threads == 64);
  if (failures == 0) std::puts("PASS");
  return failures;
}
