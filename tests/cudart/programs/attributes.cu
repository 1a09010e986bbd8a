// Attributes of CUDA 12 and later, and a keyword of old that nvcc takes with a warning.
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
__global__ void __maxnreg__(kRegisters) doubles(int* out) {
  out[threadIdx.x] *= 2;
}

template <int kThreads, int kBlocks>
struct Bounds {
  static constexpr int threads = kThreads;
};
template <int kThreads>
__global__ void __launch_bounds__(Bounds<kThreads, 2>::threads, 2, 1) __cluster_dims__(1, 1, 1) bounded(int* out) {
  register int one = 1;
  out[threadIdx.x] += one;
}

int main() {
  Table table;
  for (int i = 0; i < 8; ++i) table.values[i] = i;
  int *out, blocks = 0;
  cudaMallocManaged(&out, sizeof table);
  look_up<<<1, 8>>>(table, out);
  doubles<24><<<1, 8>>>(out);
  bounded<64><<<1, 8>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && out[7] == 29);
  cudaFuncAttributes of_bounded;
  EXPECT(cudaFuncGetAttributes(&of_bounded, bounded<64>) == cudaSuccess && of_bounded.maxThreadsPerBlock == 64);
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
