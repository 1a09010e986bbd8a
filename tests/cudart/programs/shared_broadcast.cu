// One thread of a block fetches the block's next piece of work and tells the others through shared memory: right only
// if the compiler reads that memory anew behind each barrier.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr unsigned kPieces = 200, kThreads = 128;

__device__ unsigned next_piece;

__global__ void work(unsigned* out) {
  __shared__ unsigned piece;
  while (true) {
    if (threadIdx.x == 0) piece = atomicAdd(&next_piece, 1);
    __syncthreads();
    if (piece >= kPieces) break;
    out[piece * blockDim.x + threadIdx.x] = piece + 1;
    __syncthreads();
  }
}

int main() {
  unsigned* out;
  cudaMalloc(&out, kPieces * kThreads * sizeof(unsigned));
  cudaMemset(out, 0, kPieces * kThreads * sizeof(unsigned));
  work<<<15, kThreads>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::vector<unsigned> host(kPieces * kThreads);
  cudaMemcpy(host.data(), out, host.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (unsigned i = 0; i < host.size(); ++i) wrong += host[i] != i / kThreads + 1;
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
