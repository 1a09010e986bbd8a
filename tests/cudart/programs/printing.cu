// Device-side printf: every kind of argument, both sides of a branch, what it returns.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void kinds(const char* nowhere) {
  const float f = 1.5f;
  const char text[] = "local";
  printf("%d %5.2f %s %c %lld %x %p %s\n", -1, f, "literal", 'c', 1LL << 40, 255u, (void*)0x10, text);
  printf("%5s|%-5s|%%|%*d|%s\n", "ab", "cd", 4, 7, nowhere);
}

__global__ void branches(int* counts) {
  if (threadIdx.x % 2)
    counts[threadIdx.x] = printf("odd %u of block %u\n", threadIdx.x, blockIdx.x);
  else
    counts[threadIdx.x] = printf("even %u\n", threadIdx.x);
}

int main() {
  std::printf("begin\n");
  kinds<<<1, 1>>>(nullptr);
  std::printf("between\n");
  int *counts, host[4];
  cudaMalloc(&counts, sizeof host);
  branches<<<1, 4>>>(counts);
  cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
}
