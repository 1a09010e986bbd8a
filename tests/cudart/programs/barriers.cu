// Barriers in shared memory: threads arrive, go on, and wait; some drop out, some arrive for their copies. Prints a
// line for each expectation that does not hold, PASS at the end.
#include <cuda_awbarrier.h>
#include <cuda_awbarrier_helpers.h>
#include <cuda_pipeline.h>

#include "expect.h"

using nvcuda::experimental::awbarrier;

constexpr unsigned kThreads = 128, kPhases = 9;

/// One thread is all three that arrive: what a token tells, and when the phases are over.
__global__ void alone(unsigned* seen) {
  __shared__ __mbarrier_t barrier;
  __mbarrier_init(&barrier, 3);
  for (unsigned phase = 0; phase < 2; ++phase) {
    const __mbarrier_token_t first = __mbarrier_arrive(&barrier), second = __mbarrier_arrive(&barrier);
    *seen++ = __mbarrier_token_pending_count(first) * 10 + __mbarrier_token_pending_count(second);
    *seen++ = __mbarrier_test_wait(&barrier, first) + 2 * __mbarrier_try_wait(&barrier, second, 10) +
              4 * __mbarrier_test_wait_parity(&barrier, phase != 0) +
              8 * __mbarrier_test_wait_parity(&barrier, phase == 0);
    const __mbarrier_token_t last = phase == 0 ? __mbarrier_arrive_and_drop(&barrier) : 0;
    *seen++ = phase == 0 ? __mbarrier_token_pending_count(last) : 1;
    *seen++ = __mbarrier_test_wait(&barrier, first) + 2 * (last == 0 || __mbarrier_test_wait(&barrier, last)) +
              4 * __mbarrier_test_wait_parity(&barrier, phase != 0) +
              8 * __mbarrier_try_wait_parity(&barrier, phase == 0, 10);
  }
  *seen = __mbarrier_maximum_count();
  __mbarrier_inval(&barrier);
}

/// Each phase the threads add what their neighbours wrote before the barrier, of two alternate places.
__global__ void neighbours(unsigned* sums) {
  __shared__ awbarrier barrier;
  __shared__ unsigned written[2][kThreads];
  const unsigned i = threadIdx.x;
  if (i == 0) init(&barrier, kThreads);
  __syncthreads();
  unsigned sum = 0;
  for (unsigned phase = 0; phase < kPhases; ++phase) {
    written[phase % 2][i] = i + 1000 * phase;
    const awbarrier::arrival_token token = barrier.arrive();
    sum += token.pending_count() >= 1 && token.pending_count() <= kThreads;
    barrier.wait(token);
    sum += written[phase % 2][(i + 37) % kThreads];
  }
  barrier.arrive_and_wait();
  if (i == 0) {
    const awbarrier::arrival_token token = barrier.arrive();
    sum += 100000 * !barrier.timed_wait(token, 50) + 200000 * !barrier.timed_wait_parity(kPhases % 2 == 0, 50);
    sum += 400000 * barrier.timed_wait_parity(kPhases % 2 != 0, 50) + 800000 * !barrier.try_wait(token, 50);
    sum += 1600000 * barrier.try_wait_parity(kPhases % 2 != 0, 50);
  }
  sums[i] = sum;
}

/// One warp fills a place when the others have emptied it; with every item a warp less empties it.
__global__ void produce(unsigned* sums) {
  __shared__ __mbarrier_t full, empty;
  __shared__ unsigned place[32];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, items = kThreads / 32 - 1;
  if (threadIdx.x == 0) {
    __mbarrier_init(&full, 32);
    __mbarrier_init(&empty, kThreads - 32);
  }
  __syncthreads();
  unsigned sum = 0;
  for (unsigned item = 0; item < items; ++item) {
    if (warp == 0) {
      if (item > 0)
        while (!__mbarrier_try_wait_parity(&empty, (item - 1) % 2 != 0, 100)) continue;
      place[lane] = (item + 1) * lane;
      __mbarrier_arrive(&full);
    } else if (warp + item < kThreads / 32) {
      while (!__mbarrier_test_wait_parity(&full, item % 2 != 0)) continue;
      sum += place[31 - lane];
      if (warp + item + 1 < kThreads / 32)
        __mbarrier_arrive(&empty);
      else
        __mbarrier_arrive_and_drop(&empty);
    }
  }
  sums[threadIdx.x] = sum;
}

/// The barrier counts threads, and copies on their way besides.
__global__ void copies(const unsigned* from, unsigned* to) {
  __shared__ __mbarrier_t barrier;
  __shared__ unsigned held[kThreads];
  const unsigned i = threadIdx.x;
  if (i == 0) __mbarrier_init(&barrier, kThreads);
  __syncthreads();
  __pipeline_memcpy_async(&held[i], &from[i], sizeof held[i]);
  __pipeline_arrive_on(&barrier);
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token)) continue;
  to[i] = held[kThreads - 1 - i];
}

/// PTX ISA, "mbarrier": the phase in which the third arrives is the last of three, the next one of two.
static void check_alone(const unsigned* seen) {
  EXPECT(seen[0] == 32 && seen[1] == 8 && seen[2] == 1 && seen[3] == 7);
  EXPECT(seen[4] == 21 && seen[5] == 7 && seen[6] == 1 && seen[7] == 7);
  EXPECT(seen[8] == (1 << 20) - 1 && awbarrier::max() == (1 << 20) - 1);
}

int main() {
  unsigned* results = nullptr;
  EXPECT(cudaMallocManaged(&results, 4 * kThreads * sizeof *results) == cudaSuccess);
  alone<<<1, 1>>>(results);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  check_alone(results);
  neighbours<<<1, kThreads>>>(results);
  produce<<<1, kThreads>>>(results + kThreads);
  for (unsigned i = 0; i < kThreads; ++i) results[2 * kThreads + i] = 7 * i;
  copies<<<1, kThreads>>>(results + 2 * kThreads, results + 3 * kThreads);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < kThreads; ++i) {
    const unsigned neighbour = (i + 37) % kThreads, items = 4 - i / 32;
    EXPECT(results[i] == kPhases * (neighbour + 1) + 1000 * (kPhases * (kPhases - 1) / 2) + (i == 0 ? 3100000 : 0));
    EXPECT(results[kThreads + i] == (i < 32 ? 0 : items * (items + 1) / 2 * (31 - i % 32)));
    EXPECT(results[3 * kThreads + i] == 7 * (kThreads - 1 - i));
  }
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
