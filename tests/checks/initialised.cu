// Everything is written before it is read: by copies, fills, kernels, the host, initial values and atomics.
#include <cuda_runtime.h>

#include <cstring>

__device__ int counter;  // zero, as nothing is said
__device__ int table[4] = {1, 2, 3, 4};
__constant__ int scale;

__global__ void sum(const int* copied, const int* filled, const int* managed, const int* pinned, const int* moved,
                    int* out) {
  extern __shared__ int words[];
  const int i = threadIdx.x;
  int local[8];
  for (int k = 0; k < 8; ++k) local[(k + i) % 8] = k;
  words[i] = copied[i] + filled[i] + managed[i] + pinned[i] + moved[i] + table[i % 4] + scale + local[i % 8];
  __syncthreads();
  out[i] = words[31 - i];
  atomicAdd(&counter, out[i]);
}

int main() {
  int host[32], *copied, *filled, *managed, *pinned, *moved, *out;
  const int two = 2;
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&copied, 128), cudaMalloc(&filled, 128), cudaMalloc(&moved, 128), cudaMalloc(&out, 128);
  cudaMallocManaged(&managed, 128), cudaMallocHost(&pinned, 128);
  std::memcpy(managed, host, 128), std::memcpy(pinned, host, 128);
  cudaMemcpy(copied, host, 128, cudaMemcpyHostToDevice);
  cudaMemset(filled, 0, 128);
  cudaMemcpy(moved, copied, 128, cudaMemcpyDeviceToDevice);
  cudaMemcpyToSymbol(scale, &two, sizeof two);
  sum<<<1, 32, 128>>>(copied, filled, managed, pinned, moved, out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
