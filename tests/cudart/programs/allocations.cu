// Arrays whose size a thread knows when it runs, on its stack: of the kernel, of functions that it calls in a loop, and
// of both at once.
#include <alloca.h>

#include "expect.h"

constexpr int kThreads = 64;

/// 0 + 1 + … + count - 1, written backwards and read forwards.
static __device__ __noinline__ int sum_below(int count) {
  int* const numbers = static_cast<int*>(alloca(count * sizeof(int)));
  for (int i = 0; i < count; ++i) numbers[count - 1 - i] = i;
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += numbers[i];
  return sum;
}

__global__ void allocate(int* sums) {
  const int count = 5 + threadIdx.x % 4;
  int* const products = static_cast<int*>(alloca(count * sizeof(int)));
  for (int i = 0; i < count; ++i) products[i] = threadIdx.x * i;
  int sum = 0;
  for (int i = 0; i < 400; ++i) sum += sum_below(count + i % 3); /* their stack together is more than a thread has */
  for (int i = 0; i < count; ++i) sum += products[i];
  sums[threadIdx.x] = sum;
}

int main() {
  int* sums = nullptr;
  EXPECT(cudaMallocManaged(&sums, kThreads * sizeof *sums) == cudaSuccess);
  allocate<<<1, kThreads>>>(sums);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int thread = 0; thread < kThreads; ++thread) {
    const int count = 5 + thread % 4;
    int expected = thread * (count * (count - 1) / 2);
    for (int i = 0; i < 400; ++i) expected += (count + i % 3) * (count + i % 3 - 1) / 2;
    EXPECT(sums[thread] == expected);
  }
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
