// The last quarter of `in` is never written; nor is the word behind what 64 threads write to shared memory.
#include <cuda_runtime.h>

__global__ void tail(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1;
}

__global__ void halo(int* out) {
  __shared__ int words[65];
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x + 1];
}

int main() {
  const int host[96] = {};
  int *in, *out;
  if (cudaMalloc(&out, 512) != cudaSuccess || cudaMalloc(&in, 512) != cudaSuccess) return 2;
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  tail<<<4, 32>>>(in, out);
  halo<<<1, 64>>>(out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
