// CUB's reductions and scans of warps and blocks against the host. Prints a line for each expectation that does not
// hold, PASS at the end.
#include <algorithm>
#include <cub/cub.cuh>

#include "expect.h"

constexpr int kThreads = 75, kItems = 3; /* the last warp has eleven threads */

static __host__ __device__ int sample(int i) { return i * 37 % 101 - 20; }

struct Greatest {
  __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

constexpr int kReductions = 7;

/// What begins a segment, or ends it.
static __host__ __device__ bool is_flagged(int i) { return i % 5 == 2 || i % 7 == 3; }

/// Of one thread, of one of each eight, and of each segment's first within eight.
__global__ void reductions(int* out, int* of_eights, int* of_segments) {
  using Reduce = cub::BlockReduce<int, kThreads>;
  using Warp = cub::WarpReduce<int, 8>;
  __shared__ union {
    Reduce::TempStorage block;
    Warp::TempStorage warps[16];
  } room;
  const int value = sample(threadIdx.x);
  int results[kReductions], items[kItems] = {value, value + 1, value * 2};
  results[0] = Reduce(room.block).Sum(value);
  __syncthreads();
  results[1] = Reduce(room.block).Reduce(value, Greatest());
  __syncthreads();
  results[2] = Reduce(room.block).Sum(value, 40);
  __syncthreads();
  results[3] = Reduce(room.block).Sum(items);
  __syncthreads();
  results[4] = Reduce(room.block).Reduce(items, Greatest());
  __syncthreads();
  using Pair = cub::KeyValuePair<int, int>;
  const Pair greatest = cub::BlockReduce<Pair, kThreads>().Reduce(Pair(threadIdx.x, value % 10), [](Pair a, Pair b) {
    return b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a;
  });
  results[5] = greatest.key;
  results[6] = greatest.value;
  if (threadIdx.x == 0)
    for (int i = 0; i < kReductions; ++i) out[i] = results[i];
  if (threadIdx.x < 64) { /* whole warps */
    Warp::TempStorage& storage = room.warps[threadIdx.x / 8];
    const int sum = Warp(storage).Sum(value), part = Warp(storage).Reduce(value, Greatest(), 3);
    if (threadIdx.x % 8 == 0) of_eights[threadIdx.x / 8] = sum * 1000 + part;
    const int from_heads = Warp(storage).HeadSegmentedSum(value, is_flagged(threadIdx.x));
    const int to_tails = Warp(storage).TailSegmentedReduce(value, is_flagged(threadIdx.x), Greatest());
    const bool is_first = threadIdx.x % 8 == 0;
    of_segments[2 * threadIdx.x] = is_first || is_flagged(threadIdx.x) ? from_heads : 0;
    of_segments[2 * threadIdx.x + 1] = is_first || is_flagged(threadIdx.x - 1) ? to_tails : 0;
  }
}

/// A block of 5 * 5 * 3 threads, which are counted along x first.
__global__ void reduce_in_space(int* out) {
  const int rank = (threadIdx.z * 5 + threadIdx.y) * 5 + threadIdx.x;
  const int sum = cub::BlockReduce<int, 5, cub::BLOCK_REDUCE_RAKING, 5, 3>().Sum(sample(rank), 40);
  if (rank == 0) *out = sum;
}

static int sum_to(int end) {
  int sum = 0;
  for (int i = 0; i < end; ++i) sum += sample(i);
  return sum;
}

/// By the eight that hold it and the segments in them.
static void check_segments(const int* of_segments) {
  for (int i = 0; i < 64; ++i) {
    const bool is_first = i % 8 == 0;
    int sum = 0, greatest = sample(i);
    for (int j = i; j == i || (j % 8 != 0 && !is_flagged(j)); ++j) sum += sample(j);
    for (int j = i; (j == i || j % 8 != 0) && (j == i || !is_flagged(j - 1)); ++j)
      greatest = std::max(greatest, sample(j));
    EXPECT(of_segments[2 * i] == (is_first || is_flagged(i) ? sum : 0));
    EXPECT(of_segments[2 * i + 1] == (is_first || is_flagged(i - 1) ? greatest : 0));
  }
}

static void check_reductions(int* out) {
  int *const of_eights = out + kReductions, *const in_space = of_eights + 8, *const of_segments = in_space + 1;
  reductions<<<1, kThreads>>>(out, of_eights, of_segments);
  reduce_in_space<<<1, dim3(5, 5, 3)>>>(in_space);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  int greatest = sample(0), place = 0;
  for (int i = 0; i < kThreads; ++i) {
    greatest = std::max(greatest, sample(i));
    if (sample(i) % 10 > sample(place) % 10) place = i;
  }
  check_segments(of_segments);
  EXPECT(out[0] == sum_to(kThreads) && out[1] == greatest && out[2] == sum_to(40));
  EXPECT(out[3] == 4 * sum_to(kThreads) + kThreads && out[4] == greatest * 2);
  EXPECT(out[5] == place && out[6] == sample(place) % 10);
  for (int i = 0; i < 8; ++i) {
    const int part = std::max(sample(8 * i), std::max(sample(8 * i + 1), sample(8 * i + 2)));
    EXPECT(of_eights[i] == (sum_to(8 * i + 8) - sum_to(8 * i)) * 1000 + part);
  }
  EXPECT(*in_space == sum_to(40));
}

/// What a callback of CUB's does: blocks of values one after the other.
struct Running {
  int total;
  __device__ int operator()(int aggregate) {
    const int before = total;
    total += aggregate;
    return before;
  }
};

struct Scans {
  int inclusive, exclusive, greatest, from_seven, aggregate, before[kItems], up_to[kItems], running[2];
  int warp_inclusive, warp_exclusive, warp_aggregate, from_third;
};

__global__ void scans(Scans* out) {
  using Scan = cub::BlockScan<int, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
  using Warp = cub::WarpScan<int, 16>;
  __shared__ Scan::TempStorage room;
  __shared__ Warp::TempStorage warp_rooms[5];
  const int thread = threadIdx.x, value = sample(thread);
  Scans result = {};
  Scan(room).InclusiveSum(value, result.inclusive);
  __syncthreads();
  Scan(room).ExclusiveSum(value, result.exclusive, result.aggregate);
  __syncthreads();
  Scan(room).InclusiveScan(value, result.greatest, Greatest());
  __syncthreads();
  Scan(room).ExclusiveScan(value, result.from_seven, 7, Greatest());
  __syncthreads();
  const int items[kItems] = {sample(kItems * thread), sample(kItems * thread + 1), sample(kItems * thread + 2)};
  int scanned[kItems] = {items[0], items[1], items[2]};
  Scan(room).ExclusiveSum(scanned, scanned);
  for (int i = 0; i < kItems; ++i) result.before[i] = scanned[i], scanned[i] = items[i];
  __syncthreads();
  Scan(room).InclusiveSum(scanned, result.up_to);
  Running running = {1000};
  for (int round = 0; round < 2; ++round) {
    __syncthreads();
    Scan(room).ExclusiveSum(value, result.running[round], running);
  }
  if (thread < 64) {
    Warp::TempStorage& warp_room = warp_rooms[thread / 16];
    Warp(warp_room).InclusiveSum(value, result.warp_inclusive, result.warp_aggregate);
    Warp(warp_room).ExclusiveSum(value, result.warp_exclusive);
    result.from_third = Warp(warp_room).Broadcast(value, 3);
  }
  out[thread] = result;
}

static void check_scans(Scans* out) {
  scans<<<1, kThreads>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  int greatest = sample(0), from_seven = 7;
  for (int thread = 0; thread < kThreads; ++thread) {
    const Scans& of = out[thread];
    const int first = thread / 16 * 16;
    EXPECT(of.from_seven == from_seven);
    greatest = std::max(greatest, sample(thread));
    from_seven = std::max(from_seven, sample(thread));
    EXPECT(of.greatest == greatest);
    EXPECT(of.inclusive == sum_to(thread + 1) && of.exclusive == sum_to(thread) && of.aggregate == sum_to(kThreads));
    for (int i = 0; i < kItems; ++i) {
      EXPECT(of.before[i] == sum_to(kItems * thread + i));
      EXPECT(of.up_to[i] == sum_to(kItems * thread + i + 1));
    }
    EXPECT(of.running[0] == 1000 + sum_to(thread) && of.running[1] == of.running[0] + sum_to(kThreads));
    if (thread >= 64) continue;
    EXPECT(of.warp_inclusive == sum_to(thread + 1) - sum_to(first));
    EXPECT(of.warp_exclusive == sum_to(thread) - sum_to(first) && of.from_third == sample(first + 3));
    EXPECT(of.warp_aggregate == sum_to(first + 16) - sum_to(first));
  }
}

int main() {
  int* out = nullptr;
  Scans* scanned = nullptr;
  EXPECT(cudaMallocManaged(&out, (32 + 2 * 64) * sizeof(int)) == cudaSuccess);
  EXPECT(cudaMallocManaged(&scanned, kThreads * sizeof *scanned) == cudaSuccess);
  check_reductions(out);
  check_scans(scanned);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
