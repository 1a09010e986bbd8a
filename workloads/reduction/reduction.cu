// Sum of an array by parallel reduction: PR of the spatio-temporal SIMT paper's Table II, the reduction of NVIDIA's SDK
// in its form of several elements a thread (Harris 2007, "Optimizing parallel reduction in CUDA"; the SDK's kernel 6).
//
// Its structure is that of the SDK: no test of bounds where a block's share divides the array, a tree that is written
// out for the size of the block, a thread's sum in a register, and for the last 32 threads steps in which all take
// part. There the SDK has no barrier, since the lanes of its warps move together. Nothing here relies on that.
#include "../common/check.h"

namespace {

constexpr int kBlockThreads = 256;
constexpr int kLastThreads = 32;                  // take the tree's last steps, and are all of the second launch
constexpr int kMaximumBlocks = 2 * kLastThreads;  // which adds two partial sums a thread

// Lets those threads meet. Not __syncwarp(), which knows no more than a warp and only warps of up to 32 threads.
__device__ inline void meet(unsigned threads) { asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory"); }

// Sums of what the blocks see of `values`. A block strides over the array two of its own widths at a time.
// `last_threads` take the tree's last steps: 32, or a whole warp where that is more.
template <int kThreads, bool kWholeShares>
__device__ inline void add_up(const unsigned* values, unsigned* sums, unsigned count, unsigned last_threads) {
  // In the last steps threads read up to 32 places beyond their own; nothing that they add from there is in the total.
  __shared__ unsigned partial[kThreads > kLastThreads ? kThreads : 2 * kThreads];
  const unsigned thread = threadIdx.x;
  unsigned* const own = partial + thread;
  unsigned sum = 0;
  for (unsigned i = blockIdx.x * 2 * kThreads + thread; i < count; i += 2 * kThreads * gridDim.x) {
    sum += values[i];
    if (kWholeShares || i + kThreads < count) sum += values[i + kThreads];
  }
  *own = sum;
  if (kThreads <= kLastThreads) own[kThreads] = 0;  // the SDK reads there what nobody has written
  __syncthreads();

#pragma unroll
  for (int half = kThreads / 2; half > kLastThreads; half /= 2) {
    if (thread < half) *own = sum += own[half];
    __syncthreads();
  }
  if (thread < last_threads) {
#pragma unroll
    for (int half = kThreads > kLastThreads ? kLastThreads : kThreads / 2; half > 0; half /= 2) {
      sum += own[half];
      meet(last_threads);  // all have read before anyone writes
      *own = sum;
      if (half > 1) meet(last_threads);
    }
  }
  if (thread == 0) sums[blockIdx.x] = partial[0];
}

// Of an array of which all threads of all blocks add up pairs.
template <int kThreads>
__global__ void reduce(const unsigned* values, unsigned* sums, unsigned count, unsigned last_threads) {
  add_up<kThreads, true>(values, sums, count, last_threads);
}

// Of any array.
template <int kThreads>
__global__ void reduce_any(const unsigned* values, unsigned* sums, unsigned count, unsigned last_threads) {
  add_up<kThreads, false>(values, sums, count, last_threads);
}

template <int kThreads>
void launch(const unsigned* values, unsigned* sums, unsigned count, unsigned blocks) {
  int warp = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
  const unsigned last_threads = warp > kLastThreads ? warp : kLastThreads;
  if (count % (2 * kThreads) == 0)
    reduce<kThreads><<<blocks, kThreads>>>(values, sums, count, last_threads);
  else
    reduce_any<kThreads><<<blocks, kThreads>>>(values, sums, count, last_threads);
  CUDA_CHECK(cudaGetLastError());
}

unsigned device_sum(const std::vector<unsigned>& values) {
  const unsigned count = static_cast<unsigned>(values.size()), share = 2 * kBlockThreads;
  const unsigned needed = (count + share - 1) / share;
  const unsigned blocks = needed < kMaximumBlocks ? needed : kMaximumBlocks;
  const workload::DeviceArray<unsigned> input(values), sums(blocks), total(1);
  launch<kBlockThreads>(input.get(), sums.get(), count, blocks);
  launch<kLastThreads>(sums.get(), total.get(), blocks, 1);
  return total.download()[0];
}

}  // namespace

int main(int argc, char** argv) {
  int size = 1 << 20;
  workload::Options("reduction", "sum of an array by parallel reduction, checked exactly")
      .number("--size", size, 1, 1 << 28, "elements to add up")
      .parse(argc, argv);

  workload::Random random(9);
  std::vector<unsigned> values;
  unsigned expected = 0;  // modulo 2^32, as on the device
  for (int i = 0; i < size; ++i) {
    values.push_back(random.below(1u << 31));
    expected += values.back();
  }
  workload::expect_equal<unsigned>("sum", {device_sum(values)}, {expected});
  return workload::pass();
}
