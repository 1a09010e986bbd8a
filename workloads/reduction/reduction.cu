// Sum of an array by parallel reduction: PR of the spatio-temporal SIMT paper's Table II, the reduction of NVIDIA's SDK
// in its form of several elements a thread (Harris 2007, "Optimizing parallel reduction in CUDA").
//
// A warp always waits for the others of its block at a barrier before it reads what they wrote, to the tree's last
// step: nothing relies on a warp's lanes moving together.
#include "../common/check.h"

namespace {

constexpr int kBlockThreads = 256, kLastThreads = 32;
constexpr int kMaximumBlocks = 2 * kLastThreads;  // the second launch is one block that adds two partial sums a thread

// Sums of what the blocks see of `values`. A block strides over the array two of its own widths at a time.
template <int kThreads>
__global__ void reduce(const unsigned* values, unsigned* sums, unsigned count) {
  __shared__ unsigned partial[kThreads];
  const unsigned thread = threadIdx.x;
  unsigned sum = 0;
  for (unsigned i = blockIdx.x * 2 * kThreads + thread; i < count; i += 2 * kThreads * gridDim.x) {
    sum += values[i];
    if (i + kThreads < count) sum += values[i + kThreads];
  }
  partial[thread] = sum;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (thread < half) partial[thread] += partial[thread + half];
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = partial[0];
}

unsigned device_sum(const std::vector<unsigned>& values) {
  const unsigned count = static_cast<unsigned>(values.size()), share = 2 * kBlockThreads;
  const unsigned needed = (count + share - 1) / share;
  const unsigned blocks = needed < kMaximumBlocks ? needed : kMaximumBlocks;
  const workload::DeviceArray<unsigned> input(values), sums(blocks), total(1);
  reduce<kBlockThreads><<<blocks, kBlockThreads>>>(input.get(), sums.get(), count);
  CUDA_CHECK(cudaGetLastError());
  reduce<kLastThreads><<<1, kLastThreads>>>(sums.get(), total.get(), blocks);
  CUDA_CHECK(cudaGetLastError());
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
