// A program of the CUDA runtime that has no kernels; its source is no CUDA C++.
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/atomic>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/tuple>

int main() {
  int count = 0;
  unsigned* pointer = nullptr;
  unsigned value = 0;
  const bool works = cudaGetDeviceCount(&count) == cudaSuccess && cudaMalloc(&pointer, sizeof value) == cudaSuccess &&
                     cudaMemset(pointer, 0x2a, sizeof value) == cudaSuccess &&
                     cudaMemcpy(&value, pointer, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess;
  std::puts(works && count == 1 && value == 0x2a2a2a2a ? "PASS" : "FAIL");
}
