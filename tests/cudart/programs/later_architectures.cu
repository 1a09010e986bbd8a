// What architectures from sm_90 and sm_100 on have: clusters of one block, and arithmetic with two floats at once.
// Prints a line for each expectation that does not hold, PASS at the end. nvcc 13's program does so, too.
#include <cooperative_groups.h>

#include <cmath>
#include <utility>

#include "expect.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 64;

__global__ void alone_in_a_cluster(unsigned* out) {
  __shared__ unsigned shared;
  if (threadIdx.x == 0) shared = 5;
  const auto cluster = cg::this_cluster();
  cluster.sync();
  const unsigned* const found = cluster.map_shared_rank(&shared, cluster.block_rank());
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(std::move(token));
  const bool is_shared = __isCtaShared(&shared) && __isClusterShared(&shared) && !__isClusterShared(out);
  out[threadIdx.x] = *found + 10 * cluster.num_blocks() + 100 * cluster.dim_blocks().x + 1000 * cluster.thread_rank() +
                     100000 * (cluster.num_threads() / 32) + 1000000 * is_shared + cluster.query_shared_rank(&shared);
}

/// 1 + 2^-24, 3 * (1 + 2^-23) and the latter minus 6 lie half-way between two floats.
__global__ void compute_two(float2* out) {
  const float2 a = make_float2(1.0f, 3.0f), b = make_float2(0x1p-24f, 0x1.000002p0f), zero = make_float2(0.0f, -6.0f);
  out[0] = __fadd2_rn(a, b);
  out[1] = __fadd2_ru(a, b);
  out[2] = __fmul2_rz(a, b);
  out[3] = __fmul2_ru(a, b);
  out[4] = __ffma2_rd(a, b, zero);
  out[5] = __ffma2_rn(a, b, zero);
}

int main() {
  unsigned* words;
  EXPECT(cudaMallocManaged(&words, kThreads * sizeof *words) == cudaSuccess);
  alone_in_a_cluster<<<1, kThreads>>>(words);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < kThreads; ++i) EXPECT(words[i] == 1200115 + 1000 * i);
  float2* pairs;
  EXPECT(cudaMallocManaged(&pairs, 6 * sizeof *pairs) == cudaSuccess);
  compute_two<<<1, 1>>>(pairs);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(pairs[0].x == 1.0f && pairs[0].y == 4.0f && pairs[1].x == 0x1.000002p0f && pairs[1].y == 0x1.000002p2f);
  EXPECT(pairs[2].x == 0x1p-24f && pairs[2].y == 0x1.800002p1f && pairs[3].y == 0x1.800004p1f);
  EXPECT(pairs[4].x == 0x1p-24f && pairs[4].y == -0x1.7ffffep1f && pairs[5].y == -0x1.7ffffcp1f);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
