// Tiles of several warps, which wait for one another, exchange values, reduce and scan. Prints a line for each
// expectation that does not hold, PASS at the end. nvcc 13's program does so, too.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>

#include "expect.h"

namespace cg = cooperative_groups;

static __host__ __device__ int sample(int thread) { return thread * 37 % 101 - 20; }

constexpr int kTiled = 256, kAnswers = 9;

/// Tiles of several warps, of the block and of one another.
__global__ void large_tiles(int* out) {
#if __CUDA_ARCH__ < 800
  __shared__ cg::block_tile_memory<kTiled> memory;
  const auto block = cg::this_thread_block(memory);
#else
  const auto block = cg::this_thread_block();
#endif
  const auto half = cg::tiled_partition<128>(block);
  const cg::thread_block_tile<64> quarter = cg::tiled_partition<64>(half);
  const auto warp = cg::tiled_partition<32>(quarter);
  const int value = sample(threadIdx.x);
  out += threadIdx.x * kAnswers;
  out[0] = 100 * quarter.meta_group_rank() + 10 * quarter.meta_group_size() + warp.meta_group_rank();
  out[1] = half.shfl(value, 77);
  out[2] = quarter.any(value == sample(130)) + 2 * quarter.all(value > -20);
  out[3] = cg::reduce(half, value, cg::plus<int>());
  out[4] = cg::inclusive_scan(half, value);
  out[5] = cg::exclusive_scan(quarter, value, cg::plus<int>());
  if (half.meta_group_rank() == 1)
    for (int i = 0; i < 3; ++i) {
      half.sync();
      out[6] = cg::reduce(half, value + i, cg::greater<int>());
    }
  out[7] = cg::invoke_one_broadcast(quarter, [=] { return value; });
  out[8] = quarter.thread_rank() + 1000 * half.size();
}

int main() {
  int* out = nullptr;
  EXPECT(cudaMallocManaged(&out, kTiled * kAnswers * sizeof(int)) == cudaSuccess);
  large_tiles<<<1, kTiled>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int thread = 0; thread < kTiled; ++thread) {
    const int half = thread / 128 * 128, quarter = thread / 64 * 64, *const found = out + thread * kAnswers;
    int all = 0, up_to = 0, before = 0, greatest = sample(half), is_above = 1;
    bool is_there = false;
    for (int i = half; i < half + 128; ++i) {
      all += sample(i);
      up_to += i <= thread ? sample(i) : 0;
      greatest = std::max(greatest, sample(i));
    }
    for (int i = quarter; i < quarter + 64; ++i) {
      before += i < thread ? sample(i) : 0;
      is_there |= sample(i) == sample(130);
      is_above &= sample(i) > -20;
    }
    EXPECT(found[0] == 100 * (thread / 64 % 2) + 20 + thread / 32 % 2 && found[1] == sample(half + 77));
    EXPECT(found[2] == is_there + 2 * is_above && found[3] == all && found[4] == up_to && found[5] == before);
    EXPECT((half == 0 || found[6] == greatest + 2) && found[7] == sample(quarter));
    EXPECT(found[8] == thread % 64 + 128000);
  }
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
