// Reductions and scans of groups of different sizes, which a partition by label makes of a warp.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int kThreads = 128, kLabels = 5;

__host__ __device__ int label_of(int thread) { return thread * thread / 7 % kLabels; }

__global__ void sums(int* whole, int* until) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto group = cg::labeled_partition(warp, label_of(threadIdx.x));
  const int value = threadIdx.x + 1;
  whole[threadIdx.x] = cg::reduce(group, value, cg::plus<int>());
  until[threadIdx.x] = cg::inclusive_scan(group, value, cg::plus<int>());
}

int main() {
  int *whole, *until;
  cudaMallocManaged(&whole, kThreads * sizeof(int));
  cudaMallocManaged(&until, kThreads * sizeof(int));
  sums<<<1, kThreads>>>(whole, until);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int thread = 0; right && thread < kThreads; ++thread) {
    int all = 0, before = 0;
    for (int other = thread / 32 * 32; other < thread / 32 * 32 + 32; ++other) {
      if (label_of(other) != label_of(thread)) continue;
      all += other + 1;
      if (other <= thread) before += other + 1;
    }
    right = whole[thread] == all && until[thread] == before;
  }
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
