// The sample program of the CAPRI report (Grover et al., Figure 9): 64 threads in one block, and two loops with an
// if-else in each. In the first loop the two warps split into opposite halves, which thread block compaction can
// regroup into two full warps; in the second into even and odd threads, which it cannot, since threads keep their
// lanes.
#include "../common/check.h"

namespace {

constexpr int kThreads = 64;

// Both sides of the figure's branches do the same, so that a compiler would make one of them. An empty instruction with
// a name of its own, at both ends of a side, keeps it from that.
#define SIDE(name) asm volatile("// " name ::: "memory")

// All threads write the same values to the same places, as in the figure.
__global__ void sample(int length, const int* in1, const int* in2, int* compactable, int* incompactable) {
  const int tid = static_cast<int>(threadIdx.x);
#pragma unroll 1
  for (int i = 0; i < length; i++) {
    if (tid < 16 || tid > 47) {
      SIDE("outer halves");
      compactable[i] = in1[i] + in2[i];
      SIDE("outer halves");
    } else {
      SIDE("inner halves");
      compactable[i] = in1[i] + in2[i];
      SIDE("inner halves");
    }
  }

#pragma unroll 1
  for (int i = 0; i < length; i++) {
    if (threadIdx.x % 2 == 0) {
      SIDE("even");
      incompactable[i] = in1[i] + in2[i];
      SIDE("even");
    } else {
      SIDE("odd");
      incompactable[i] = in1[i] + in2[i];
      SIDE("odd");
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  int length = 1000;
  workload::Options("capri_sample", "the sample of the CAPRI report: two divergent loops, checked exactly")
      .number("--length", length, 1, 10000000, "iterations of each loop")
      .parse(argc, argv);

  workload::Random random(9);
  std::vector<int> first, second, sums;
  for (int i = 0; i < length; ++i) {
    first.push_back(static_cast<int>(random.below(1000000)));
    second.push_back(static_cast<int>(random.below(1000000)));
    sums.push_back(first[i] + second[i]);
  }
  const workload::DeviceArray<int> in1(first), in2(second), compactable(length), incompactable(length);
  sample<<<1, kThreads>>>(length, in1.get(), in2.get(), compactable.get(), incompactable.get());
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());

  workload::expect_equal("sums of the first loop", compactable.download(), sums);
  workload::expect_equal("sums of the second loop", incompactable.download(), sums);
  return workload::pass();
}
