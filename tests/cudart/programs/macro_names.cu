// Headers between macros whose names are those of template parameters: single letters, and words of ours. Prints a line
// for each expectation that does not hold, PASS at the end.
#define A 1
#define B 2
#define C 3
#define D 4
#define E 5
#define F 6
#define G 7
#define H 8
#define I 9
#define J 10
#define K 11
#define L 12
#define M 13
#define N 14
#define O 15
#define P 16
#define Q 17
#define R 18
#define S 19
#define T 20
#define U 21
#define V 22
#define W 23
#define X 24
#define Y 25
#define Z 26
#define Count 27
#define Group 28
#define Size 29
#define Type 30
#define Value 31
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_awbarrier.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <curand_kernel.h>
#include <mma.h>

#include <cuda/annotated_ptr>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/cmath>
#include <cuda/discard_memory>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/algorithm>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/concepts>
#include <cuda/std/functional>
#include <cuda/std/iterator>
#include <cuda/std/limits>
#include <cuda/std/memory>
#include <cuda/std/numbers>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/ratio>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <nv/target>
#include <nvfunctional>

#if A + B + C + D + E + F + G + H + I + J + K + L + M + N + O + P + Q + R + S + T + U + V + W + X + Y + Z != 351
#error "a letter has changed"
#endif
#if Count != 27 || Group != 28 || Size != 29 || Type != 30 || Value != 31
#error "a word has changed"
#endif

#undef P
#undef T
#undef U
#include <cstdio>

#include "expect.h"

__global__ void add_up(int* sum, int* highest) {
  const auto block = cooperative_groups::this_thread_block();
  const auto tile = cooperative_groups::tiled_partition<32>(block);
  const int sum_of_tile =
      cooperative_groups::reduce(tile, static_cast<int>(threadIdx.x), cooperative_groups::plus<int>());
  if (tile.thread_rank() == 0) cuda::atomic_ref<int>(*sum).fetch_add(sum_of_tile);
  const cuda::std::pair<int, int> both(A, Z);
  *highest = cuda::std::max(both.first, both.second);
}

int main() {
  int* results = nullptr;
  cudaMallocManaged(&results, 2 * sizeof *results);
  results[0] = 0;
  add_up<<<1, 64>>>(results, results + 1);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(results[0] == 2016 && results[1] == 26);
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
