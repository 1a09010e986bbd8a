// What groups of threads do together: scans, copies to shared memory, work of one of them; and copies that a thread
// does not wait for. Prints a line for each expectation that does not hold, PASS at the end.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/scan.h>
#include <cuda_pipeline.h>

#include <algorithm>

#include "expect.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 64, kFields = 8, kCopied = 100;

static __host__ __device__ int sample(int thread) { return thread * 37 % 101 - 20; }

__global__ void scans(int* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int value = sample(threadIdx.x);
  out += threadIdx.x * kFields;
  out[0] = cg::inclusive_scan(tile, value);
  out[1] = cg::exclusive_scan(tile, value);
  out[2] = cg::inclusive_scan(tile, value, cg::greater<int>());
  out[3] = int(cg::inclusive_scan(tile, value * 0.5) * 2);
  if (threadIdx.x % 3 == 0) {
    const cg::coalesced_group group = cg::coalesced_threads();
    out[4] = cg::inclusive_scan(group, value, cg::plus<int>());
    out[5] = cg::exclusive_scan(group, value, cg::plus<int>());
  }
  cg::invoke_one(tile, [=] { out[6] = value; });
  out[7] = cg::invoke_one_broadcast(
               tile, [=](int more) { return value + more; }, 5) +
           int(cg::this_thread().size());
}

static void check_scans(int* out) {
  scans<<<1, kThreads>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int thread = 0; thread < kThreads; ++thread) {
    const int first = thread / 8 * 8, *const found = out + thread * kFields;
    int sum = 0, greatest = sample(first), of_thirds = 0;
    for (int i = first; i <= thread; ++i) {
      sum += sample(i);
      greatest = std::max(greatest, sample(i));
    }
    for (int i = thread / 32 * 32; i <= thread; ++i) of_thirds += i % 3 == 0 ? sample(i) : 0;
    EXPECT(found[0] == sum && found[1] == sum - sample(thread) && found[2] == greatest && found[3] == sum);
    if (thread % 3 == 0) EXPECT(found[4] == of_thirds && found[5] == of_thirds - sample(thread));
    if (thread == first) EXPECT(found[6] == sample(first));
    EXPECT(found[7] == sample(first) + 5 + 1);
  }
}

/// Copies of 400 bytes by the block and of 13 bytes from an odd address by a tile; then back from shared memory.
__global__ void copies(int* to, char* odd, const int* from) {
  __shared__ __align__(16) int block_copy[kCopied];
  __shared__ int first_part[kCopied];
  __shared__ char odd_copy[16];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  cg::memcpy_async(block, block_copy, from, sizeof(int) * kCopied);
  cg::memcpy_async(block, first_part, size_t{kCopied}, from + 1, size_t{7});
  cg::wait_prior<1>(block);
  const int early = block_copy[(threadIdx.x + 1) % kCopied];
  cg::wait(block);
  if (warp.meta_group_rank() == 0) {
    cg::memcpy_async(warp, odd_copy, reinterpret_cast<const char*>(from) + 5, 13);
    cg::wait(warp);
    if (threadIdx.x < 13) odd[threadIdx.x] = odd_copy[threadIdx.x];
  }
  if (threadIdx.x < 7) to[kCopied + threadIdx.x] = first_part[threadIdx.x];
  to[kCopied + 7 + threadIdx.x] = early;
  cg::memcpy_async(block, to, block_copy, sizeof block_copy);
  cg::wait(block);
}

/// Two stages of each thread, of which the first has a word less and the second is waited for later.
__global__ void pipeline(int4* to, const int4* from) {
  __shared__ int4 stages[2][kThreads];
  const int thread = threadIdx.x;
  __pipeline_memcpy_async(&stages[0][thread], &from[thread], sizeof(int4), 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&stages[1][thread].x, &from[thread].y, 4);
  __pipeline_memcpy_async(&stages[1][thread].z, &from[thread].x, 8);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  to[thread] = stages[0][thread];
  __pipeline_wait_prior(0);
  const int4 second = stages[1][thread];
  to[kThreads + thread] = make_int4(second.x, 0, second.z, second.w);
}

static void check_copies(int* out) {
  int* from = nullptr;
  char* odd = nullptr;
  EXPECT(cudaMallocManaged(&from, 4 * kThreads * sizeof(int)) == cudaSuccess);
  EXPECT(cudaMallocManaged(&odd, 16) == cudaSuccess);
  for (int i = 0; i < 4 * kThreads; ++i) from[i] = i * 0x01030507 + 0x70000000;
  copies<<<1, kThreads>>>(out, odd, from);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < kCopied; ++i) EXPECT(out[i] == from[i]);
  for (int i = 0; i < 7; ++i) EXPECT(out[kCopied + i] == from[i + 1]);
  for (int i = 0; i < kThreads; ++i) EXPECT(out[kCopied + 7 + i] == from[i + 1]);
  for (int i = 0; i < 13; ++i) EXPECT(odd[i] == reinterpret_cast<char*>(from)[5 + i]);
  pipeline<<<1, kThreads>>>(reinterpret_cast<int4*>(out), reinterpret_cast<int4*>(from));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < kThreads; ++i) {
    const int *const word = from + 4 * i, *const first = out + 4 * i, *const second = first + 4 * kThreads;
    EXPECT(first[0] == word[0] && first[1] == word[1] && first[2] == word[2] && first[3] == 0);
    EXPECT(second[0] == word[1] && second[1] == 0 && second[2] == word[0] && second[3] == word[1]);
  }
}

int main() {
  int* out = nullptr;
  EXPECT(cudaMallocManaged(&out, kThreads * kFields * sizeof(int)) == cudaSuccess);
  check_scans(out);
  check_copies(out);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
