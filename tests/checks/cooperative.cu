// Blocks that wait for one another: rounds of sums over the whole grid, each of which reads what all blocks wrote in
// the one before. Prints PASS, or what is wrong.
#include <cooperative_groups.h>

#include <cstdio>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kBlocks = 30, kThreads = 64, kRounds = 5, kNumbers = kBlocks * kThreads;

__global__ void rounds(int* from, int* to) {
  const cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  for (int round = 0; round < kRounds; ++round) {
    to[i] = from[i] + from[(i + 700) % kNumbers] % 1000;
    grid.sync();
    int* const written = to;
    to = from;
    from = written;
  }
}

__global__ void ask(bool* valid) { *valid = cg::this_grid().is_valid(); }

static cudaError_t launch(int* from, int* to, bool with_attributes) {
  void* arguments[] = {&from, &to};
  if (!with_attributes) return cudaLaunchCooperativeKernel(rounds, kBlocks, kThreads, arguments);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = kBlocks;
  configuration.blockDim = kThreads;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  return cudaLaunchKernelEx(&configuration, rounds, from, to);
}

int main() {
  int *from = nullptr, *to = nullptr;
  bool* valid = nullptr;
  cudaMallocManaged(&from, kNumbers * sizeof *from);
  cudaMallocManaged(&to, kNumbers * sizeof *to);
  cudaMallocManaged(&valid, sizeof *valid);
  std::vector<int> expected(kNumbers), next(kNumbers);
  for (int i = 0; i < kNumbers; ++i) expected[i] = from[i] = i * 37 % 1001;
  for (int twice = 0; twice < 2; ++twice) {
    if (launch(from, to, twice == 1) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) std::puts("failed");
    for (int round = 0; round < kRounds; ++round) {
      for (int i = 0; i < kNumbers; ++i) next[i] = expected[i] + expected[(i + 700) % kNumbers] % 1000;
      std::swap(expected, next);
    }
    for (int i = 0; i < kNumbers; ++i)
      if (to[i] != expected[i]) return std::printf("launch %d, number %d: %d\n", twice, i, to[i]), 1;
    std::swap(from, to);
  }
  ask<<<1, 1>>>(valid);
  cudaDeviceSynchronize();
  std::puts(*valid ? "an ordinary launch is cooperative" : "PASS");
}
