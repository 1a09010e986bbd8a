// Variables of namespaces and types without a name, which the host sets and reads. Prints one line per failure, PASS at
// the end.
#include <cuda_runtime.h>

#include <cstdio>

#include "expect.h"

namespace {
__device__ int read = 3, written;
__constant__ int constants[2] = {4, 5};
struct Number {
  int value;
};
}  // namespace
__device__ Number number;
__device__ struct { int value; } unnamed = {9};
namespace outer {
namespace {
template <class T>
__device__ T of_a_template = 7;
}
}  // namespace outer

__global__ void copy(int* to) {
  to[0] = read;
  to[1] = constants[1];
  to[2] = outer::of_a_template<int>;
  to[3] = number.value;
  unnamed.value++;
  written = 8;
}

int main() {
  const int value = 30;
  int back = 0, *copied = nullptr;
  EXPECT(cudaMallocManaged(&copied, 4 * sizeof(int)) == cudaSuccess);
  EXPECT(cudaMemcpyToSymbol(read, &value, sizeof value) == cudaSuccess);
  EXPECT(cudaMemcpyToSymbol(constants, &value, sizeof value, sizeof value) == cudaSuccess);
  EXPECT(cudaMemcpyToSymbol(outer::of_a_template<int>, &value, sizeof value) == cudaSuccess);
  EXPECT(cudaMemcpyToSymbol(number, &value, sizeof value) == cudaSuccess);
  copy<<<1, 1>>>(copied);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 4; i++) EXPECT(copied[i] == 30);
  EXPECT(cudaMemcpyFromSymbol(&back, written, sizeof back) == cudaSuccess && back == 8);
  EXPECT(cudaMemcpyFromSymbol(&back, unnamed, sizeof back) == cudaSuccess && back == 10);
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
