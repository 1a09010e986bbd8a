// Three launches, of which each goes on from what the one before has left in all kinds of memory.
#include <cstdio>

__constant__ int factor = 3;
__device__ int total = 1;

__global__ void grow(int* values, int count, const int* addend) {
  __shared__ int largest;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  if (i < count) {
    for (int step = 0; step < values[i] % 7; ++step) values[i] += *addend;
    values[i] = values[i] * factor + i;
    atomicMax(&largest, values[i]);
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&total, largest);
}

int main() {
  const int count = 3000;
  int *unused, *values, *addend, one = 1;
  cudaMalloc(&unused, 100000);
  cudaMalloc(&values, count * sizeof(int));
  cudaMalloc(&addend, sizeof(int));
  cudaFree(unused);
  cudaMemset(values, 0, count * sizeof(int));
  for (int launch = 1; launch <= 3; ++launch) {
    const int scaled = one * launch;
    cudaMemcpy(addend, &scaled, sizeof scaled, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(factor, &launch, sizeof launch);
    grow<<<(count + 127) / 128, 128>>>(values, count, addend);
  }
  int sum = 0;
  cudaMemcpyFromSymbol(&sum, total, sizeof sum);
  printf("%d\n", sum);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
