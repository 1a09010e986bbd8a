// cuda::barrier of a block, as NVIDIA's libcu++ has it. Prints a line for each expectation that does not hold, PASS at
// the end.
#include <cooperative_groups.h>

#include <cuda/barrier>
#include <utility>

#include "expect.h"

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr unsigned kThreads = 96;

/// Each round every thread reads what its neighbour has written before it arrived.
__global__ void pass_on(unsigned* sums) {
  __shared__ Barrier written;
  __shared__ unsigned words[kThreads];
  if (threadIdx.x == 0) init(&written, blockDim.x);
  __syncthreads();
  unsigned sum = 0;
  for (unsigned round = 0; round < 6; ++round) {
    words[threadIdx.x] = threadIdx.x * round;
    Barrier::arrival_token token = written.arrive();
    sum += round;  // meanwhile
    written.wait(std::move(token));
    sum += words[(threadIdx.x + 1) % kThreads];
    written.arrive_and_wait();
  }
  sums[threadIdx.x] = sum;
}

/// A warp fills what two others take; one thread arrives for its whole warp. The parity of a phase is known at run time
/// alone.
__global__ void produce(int* taken, int count) {
  __shared__ Barrier full, empty;
  __shared__ int slot;
  if (threadIdx.x == 0) {
    init(&full, kThreads);
    init(&empty, kThreads);
  }
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    if (threadIdx.x < 32) {
      if (threadIdx.x == 0) slot = 10 * i + 1;
      __syncwarp();
      if (threadIdx.x == 0) (void)full.arrive(32);
    } else {
      (void)full.arrive();
      full.wait_parity(i % 2 != 0);
      sum += slot;
    }
    empty.arrive_and_wait();
  }
  taken[threadIdx.x] = sum;
}

/// Whoever drops out is not waited for any more.
__global__ void drop_out(int* rounds) {
  __shared__ Barrier all;
  if (threadIdx.x == 0) init(&all, blockDim.x);
  __syncthreads();
  int round = 0;
  for (; round < static_cast<int>(threadIdx.x / 32); ++round) all.arrive_and_wait();
  all.arrive_and_drop();
  rounds[threadIdx.x] = round;
}

__global__ void copy(const int* from, int* to) {
  __shared__ Barrier copied;
  __shared__ __align__(16) int tile[kThreads];
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&copied, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, from, sizeof tile, copied);
  copied.arrive_and_wait();
  to[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

/// Each thread copies its own.
__global__ void copy_alone(const int* from, int* to) {
  __shared__ Barrier copied;
  __shared__ int tile[kThreads];
  if (threadIdx.x == 0) init(&copied, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&tile[threadIdx.x], &from[threadIdx.x], sizeof(int), copied);
  (void)copied.arrive();
  copied.wait_parity(false);  // the first phase
  to[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

int main() {
  unsigned* words;
  EXPECT(cudaMallocManaged(&words, 4 * kThreads * sizeof *words) == cudaSuccess);
  pass_on<<<1, kThreads>>>(words);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < kThreads; ++i) EXPECT(words[i] == 15 + 15 * ((i + 1) % kThreads));
  int* const numbers = reinterpret_cast<int*>(words);
  produce<<<1, kThreads>>>(numbers, 5);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < kThreads; ++i) EXPECT(numbers[i] == (i < 32 ? 0 : 105));
  drop_out<<<1, kThreads>>>(numbers);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < kThreads; ++i) EXPECT(numbers[i] == static_cast<int>(i / 32));
  for (unsigned i = 0; i < kThreads; ++i) numbers[i] = 7 * static_cast<int>(i);
  copy<<<1, kThreads>>>(numbers, numbers + kThreads);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < kThreads; ++i) EXPECT(numbers[kThreads + i] == 7 * static_cast<int>(kThreads - 1 - i));
  copy_alone<<<1, kThreads>>>(numbers + kThreads, numbers + 2 * kThreads);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < kThreads; ++i) EXPECT(numbers[2 * kThreads + i] == 7 * static_cast<int>(i));
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
