// The microbenchmark of the spatio-temporal SIMT paper (section 5.2): so many warps on a core, so many active threads
// in each, and nothing to do but additions that depend on each other.
#include "../common/check.h"

namespace {

constexpr int kWarpSize = 32, kUnrolled = 128;

// In every warp lanes 0 to kActive − 1 add `step` so many times; the others leave at once.
template <int kActive>
__global__ void chain(unsigned step, int times, unsigned* sums) {
  if (threadIdx.x % kWarpSize >= kActive) return;
  unsigned sum = threadIdx.x;
  for (int i = 0; i < times; i += kUnrolled) {
#pragma unroll
    for (int k = 0; k < kUnrolled; ++k)  // a compiler that sees the additions makes a multiplication of them
      asm volatile("add.u32 %0, %0, %1;" : "+r"(sum) : "r"(step));
  }
  sums[threadIdx.x] = sum;
}

template <int kActive>
void run(int warps, int times) {
  constexpr unsigned kStep = 3;
  const int threads = warps * kWarpSize;
  const workload::DeviceArray<unsigned> sums(static_cast<std::size_t>(threads));
  CUDA_CHECK(cudaMemset(sums.get(), 0, threads * sizeof(unsigned)));
  chain<kActive><<<1, threads>>>(kStep, times, sums.get());
  CUDA_CHECK(cudaGetLastError());
  std::vector<unsigned> expected;
  for (int thread = 0; thread < threads; ++thread)
    expected.push_back(thread % kWarpSize < kActive ? thread + kStep * times : 0);
  workload::expect_equal("sums", sums.download(), expected);
}

}  // namespace

int main(int argc, char** argv) {
  int warps = 32, additions = 65536;
  workload::Options("dependent_chain", "chains of dependent additions, checked exactly")
      .number("--warps", warps, 1, 32, "warps of the one block")
      .number("--additions", additions, 1, 1 << 24, "warp instructions that add, all warps together")
      .parse(argc, argv);

  const int rounds = (additions + warps * kUnrolled - 1) / (warps * kUnrolled), times = rounds * kUnrolled;
  run<1>(warps, times);
  run<2>(warps, times);
  run<4>(warps, times);
  run<6>(warps, times);
  run<8>(warps, times);
  run<12>(warps, times);
  run<16>(warps, times);
  run<24>(warps, times);
  run<32>(warps, times);
  return workload::pass();
}
