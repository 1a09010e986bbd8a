// Groups that put their threads' values into atomic objects, and barriers at which a thread arrives before it waits.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cuda/atomic>

#include "expect.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 64, kTile = 8, kTiles = kThreads / kTile;

static __host__ __device__ int sample(int thread) { return thread * 37 % 101 - 20; }

struct Objects {
  cuda::atomic<int, cuda::thread_scope_device> sum, greatest, product, stored, of_tile[kTiles];
  int bits, plain, of_thirds;
};

__global__ void update(Objects* objects, int* out) {
  const auto tile = cg::tiled_partition<kTile>(cg::this_thread_block());
  const int value = sample(threadIdx.x);
  cg::reduce_update_async(tile, objects->sum, value, cg::plus<int>());
  cg::reduce_update_async(tile, objects->greatest, value, cg::greater<int>());
  cg::reduce_update_async(tile, objects->product, threadIdx.x % kTile == 0 ? 3 : 1, [](int a, int b) { return a * b; });
  cuda::atomic_ref<int, cuda::thread_scope_device> bits(objects->bits);
  cg::reduce_update_async(tile, bits, value, cg::bit_xor<int>());
  if (threadIdx.x < kTile) {
    cg::reduce_store_async(tile, objects->stored, value, cg::plus<int>());
    cg::reduce_store_async(tile, &objects->plain, value, cg::less<int>());
  }
  auto& of_tile = objects->of_tile[tile.meta_group_rank()];
  out[threadIdx.x] = cg::inclusive_scan_update(tile, of_tile, value);
  out[kThreads + threadIdx.x] = cg::exclusive_scan_update(tile, of_tile, value, cg::plus<int>());
  if (threadIdx.x % 3 == 0) {
    const cuda::atomic_ref<int, cuda::thread_scope_device> of_thirds(objects->of_thirds);
    cg::reduce_update_async(cg::coalesced_threads(), of_thirds, value, cg::plus<int>());
  }
}

static void check_updates(Objects* objects, int* out) {
  for (auto& of_tile : objects->of_tile) of_tile = 1000;
  objects->product = 1;
  objects->greatest = -1000;
  update<<<1, kThreads>>>(objects, out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  int sum = 0, greatest = -1000, bits = 0, of_thirds = 0, of_first = 0, least = 1000;
  for (int first = 0; first < kThreads; first += kTile) {
    int of_tile = 0, before = 0;
    for (int i = first; i < first + kTile; ++i) {
      const int value = sample(i);
      of_tile += value;
      EXPECT(out[i] == 1000 + of_tile);
      greatest = value > greatest ? value : greatest;
      bits ^= value;
      of_thirds += i % 3 == 0 ? value : 0;
      if (first == 0) least = value < least ? value : least;
    }
    for (int i = first; i < first + kTile; before += sample(i++)) EXPECT(out[kThreads + i] == 1000 + of_tile + before);
    EXPECT(objects->of_tile[first / kTile] == 1000 + 2 * of_tile);
    if (first == 0) of_first = of_tile;
    sum += of_tile;
  }
  EXPECT(objects->sum == sum && objects->greatest == greatest && objects->product == 6561);
  EXPECT(objects->bits == bits && objects->of_thirds == of_thirds);
  EXPECT(objects->stored == of_first && objects->plain == least);
}

/// Rounds in which each thread reads what one of another block wrote in the round before.
__global__ void in_two_steps(int* values) {
  __shared__ int shared[kThreads];
  const auto block = cg::this_thread_block();
  const auto grid = cg::this_grid();
  const unsigned rank = threadIdx.x, count = grid.num_threads();
  for (int round = 0; round < 3; ++round) {
    shared[rank] = values[round * count + grid.thread_rank()] + 1;
    auto arrived = block.barrier_arrive();
    const int own = shared[rank];
    block.barrier_wait(std::move(arrived));
    values[(round + 1) * count + (grid.thread_rank() + kThreads) % count] = shared[kThreads - 1 - rank] + 0 * own;
    auto came = grid.barrier_arrive();
    shared[rank] = 0;
    grid.barrier_wait(std::move(came));
  }
}

static void check_barriers(int* values) {
  constexpr int kBlocks = 4, kCount = kBlocks * kThreads;
  for (int i = 0; i < kCount; ++i) values[i] = i;
  void* arguments[] = {&values};
  EXPECT(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(in_two_steps), kBlocks, kThreads, arguments) ==
         cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < kCount; ++i) {
    // Each round turns the threads of a block round and moves on to the next block: three are one back, turned.
    const int block = i / kThreads, from = (block + 1) % kBlocks * kThreads + kThreads - 1 - i % kThreads;
    EXPECT(values[3 * kCount + i] == from + 3);
  }
}

int main() {
  Objects* objects = nullptr;
  int* out = nullptr;
  EXPECT(cudaMallocManaged(&objects, sizeof *objects) == cudaSuccess);
  EXPECT(cudaMallocManaged(&out, 4 * 4 * kThreads * sizeof *out) == cudaSuccess);
  check_updates(objects, out);
  check_barriers(out);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
