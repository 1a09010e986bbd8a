// cuda::pipeline of a thread and of a block, cuda::barrier of other scopes, with a completion function and with a time
// limit, and what else of libcu++ stands beside them. Prints a line for each expectation that does not hold, PASS at
// the end. nvcc 13's program does so, too.
#include <cooperative_groups.h>

#include <cuda/annotated_ptr>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/barrier>
#include <cuda/std/chrono>
#include <cuda/std/latch>
#include <cuda/std/semaphore>

#include "expect.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 128, kTiles = 5, kCount = kThreads * kTiles;

/// All threads fill each stage and read what a neighbour copied.
template <int Stages>
__global__ void fill_and_read(int* out, const int* in) {
  __shared__ __align__(16) int tiles[Stages][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int read = 0, filled = 0; read < kTiles; ++read) {
    for (; filled < kTiles && filled < read + Stages; ++filled) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tiles[filled % Stages], in + filled * kThreads,
                         cuda::aligned_size_t<16>(sizeof tiles[0]), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = sum * 3 + tiles[read % Stages][(threadIdx.x + 1) % kThreads];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

/// One warp fills, three read.
__global__ void in_roles(int* out, const int* in) {
  __shared__ int tiles[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const bool fills = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state,
                                  fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  int sum = 0;
  for (int i = 0; i < kTiles; ++i) {
    if (fills) {
      pipe.producer_acquire();
      for (int at = threadIdx.x; at < kThreads; at += 32)
        cuda::memcpy_async(&tiles[i % 2][at], &in[i * kThreads + at], sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum = sum * 3 + tiles[i % 2][(threadIdx.x + 1) % kThreads];
      pipe.consumer_release();
    }
  }
  out[threadIdx.x] = sum;
}

/// Each thread copies for itself, two tiles ahead.
__global__ void alone(int* out, const int* in) {
  __shared__ int tiles[3][kThreads];
  auto pipe = cuda::make_pipeline();
  const auto fill = [&](int i) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tiles[i % 3][threadIdx.x], &in[i * kThreads + threadIdx.x], sizeof(int), pipe);
    pipe.producer_commit();
  };
  fill(0);
  fill(1);
  int sum = 0;
  for (int i = 0; i < kTiles; ++i) {
    if (i + 2 < kTiles) fill(i + 2);
    pipe.consumer_wait();
    sum = sum * 3 + tiles[i % 3][threadIdx.x];
    pipe.consumer_release();
  }
  fill(0);
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  out[threadIdx.x] = sum - tiles[0][threadIdx.x];
}

using DeviceBarrier = cuda::barrier<cuda::thread_scope_device>;
/// Threads of all blocks wait for one another.
__global__ void pass_on(DeviceBarrier* all, int* values, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, count = gridDim.x * blockDim.x;
  values[i] = 7 * i;
  all->arrive_and_wait();
  const int next = values[(i + 33) % count];
  DeviceBarrier::arrival_token token = all->arrive();
  all->wait(cuda::std::move(token));
  values[i] = next;
  all->arrive_and_wait();
  out[i] = values[(i + 40) % count];
}

struct Counts {
  int* phases;
  __device__ void operator()() { ++*phases; }
};
/// What is done between the last one's coming and the next phase.
__global__ void complete(int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block, Counts>;
  __shared__ __align__(16) char room[sizeof(Barrier)];
  __shared__ int phases;
  Barrier* const all = reinterpret_cast<Barrier*>(room);
  if (threadIdx.x == 0) {
    phases = 0;
    init(all, blockDim.x, Counts{&phases});
  }
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    all->arrive_and_wait();
    sum = sum * 10 + phases;
    all->arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

/// A phase whose parity is known at run time alone, and one that is not over in time.
__global__ void wait_in_time(int* out, int phases) {
  __shared__ cuda::barrier<cuda::thread_scope_block> both;
  init(&both, 2);
  for (int i = 0; i < phases; ++i) {
    auto token = both.arrive();
    out[i] = 2 * both.try_wait_for(cuda::std::move(token), cuda::std::chrono::nanoseconds(300));
    (void)both.arrive();
    both.wait_parity(i % 2 != 0);
    out[i] += both.try_wait_parity_for(i % 2 != 0, cuda::std::chrono::microseconds(3)) +
              4 * both.try_wait_parity_for(i % 2 == 0, cuda::std::chrono::nanoseconds(1));
  }
}

__global__ void annotate(cuda::annotated_ptr<const int, cuda::access_property::persisting> from, int* to) {
  cuda::associate_access_property(to, cuda::access_property::streaming{})[threadIdx.x] = from[threadIdx.x] + 1;
}

static void check_pipelines(int* in, int* out) {
  const auto expect_sums = [=](int first, int shift, int minus) {
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = first; i < kThreads; ++i) {
      int sum = 0;
      for (int tile = 0; tile < kTiles; ++tile) sum = sum * 3 + in[tile * kThreads + (i + shift) % kThreads];
      EXPECT(out[i] == sum - minus * in[i]);
    }
  };
  fill_and_read<1><<<1, kThreads>>>(out, in);
  expect_sums(0, 1, 0);
  fill_and_read<3><<<1, kThreads>>>(out, in);
  expect_sums(0, 1, 0);
  in_roles<<<1, kThreads>>>(out, in);
  expect_sums(32, 1, 0);
  alone<<<1, kThreads>>>(out, in);
  expect_sums(0, 0, 1);
}

static void check_barriers(int* values, int* out) {
  DeviceBarrier* all;
  EXPECT(cudaMallocManaged(&all, sizeof *all) == cudaSuccess);
  init(all, 4 * 32);
  pass_on<<<4, 32>>>(all, values, out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 128; ++i) EXPECT(out[i] == 7 * ((i + 73) % 128));
  complete<<<1, 64>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 64; ++i) EXPECT(out[i] == 1357);
  wait_in_time<<<1, 1>>>(out, 3);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 3; ++i) EXPECT(out[i] == 1);
  cuda::std::barrier<> own(1);
  own.arrive_and_wait();
  cuda::std::latch once(1);
  once.arrive_and_wait();
  cuda::std::counting_semaphore<4> places(2);
  places.acquire();
  EXPECT(once.try_wait() && places.try_acquire() && !places.try_acquire());
}

int main() {
  int *in, *out;
  EXPECT(cudaMallocManaged(&in, kCount * sizeof *in) == cudaSuccess);
  EXPECT(cudaMallocManaged(&out, kCount * sizeof *out) == cudaSuccess);
  for (int i = 0; i < kCount; ++i) in[i] = i * 7 % 101;
  check_pipelines(in, out);
  annotate<<<1, 32>>>(cuda::annotated_ptr<const int, cuda::access_property::persisting>(in), out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && out[31] == in[31] + 1);
  check_barriers(in, out);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
