// Threads of one warp that meet at a barrier from different paths (section 3.3.3 of the multi-path paper): even threads
// hand values to odd ones, and the block's barrier is in both sides of the if-else that parts them. Finishes where all
// paths of a warp may run, and deadlocks where one path has to end before the other begins.
#include "../common/check.h"

namespace {

constexpr int kBlock = 64;

// What a producer makes of a number: numbers of a simple sequence.
__host__ __device__ inline unsigned produced(unsigned thread, unsigned round) {
  return (thread * 2654435761u ^ round) * 40503u;
}

// What a consumer makes of the values it gets, so that one too early or too late is seen.
__host__ __device__ inline unsigned consumed(unsigned sum, unsigned value) { return sum * 31u + value; }

__global__ void hand_over(unsigned rounds, unsigned* sums) {
  __shared__ unsigned slots[kBlock / 2];
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* const slot = slots + threadIdx.x / 2;

  if (threadIdx.x % 2 == 0) {
    for (unsigned round = 0; round < rounds; ++round) {
      *slot = produced(thread, round);
      __syncthreads();  // the slot is full: consumers wait for this below
      __syncthreads();  // the slot has been read
    }
  } else {
    unsigned sum = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      __syncthreads();
      sum = consumed(sum, *slot);
      __syncthreads();
    }
    sums[thread / 2] = sum;
  }
}

std::vector<unsigned> reference(unsigned threads, unsigned rounds) {
  std::vector<unsigned> sums;
  for (unsigned thread = 0; thread < threads; thread += 2) {
    unsigned sum = 0;
    for (unsigned round = 0; round < rounds; ++round) sum = consumed(sum, produced(thread, round));
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace

int main(int argc, char** argv) {
  int blocks = 1, rounds = 64;
  workload::Options("barrier_deadlock", "even threads hand values to odd ones at a barrier; deadlocks under pdom")
      .number("--blocks", blocks, 1, 10000, "blocks of 64 threads")
      .number("--rounds", rounds, 1, 10000, "values that a thread hands over, one after another")
      .parse(argc, argv);

  const unsigned threads = blocks * kBlock;
  const workload::DeviceArray<unsigned> sums(threads / 2);
  hand_over<<<blocks, kBlock>>>(rounds, sums.get());
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());

  workload::expect_equal("sums", sums.download(), reference(threads, rounds));
  return workload::pass();
}
