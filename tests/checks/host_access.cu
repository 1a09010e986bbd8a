// Host code that touches what cudaMalloc gave, as it may what cudaMallocManaged and cudaMallocHost gave.
#include <cuda_runtime.h>

__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

int main() {
  int *device, *managed, *locked;
  if (cudaMalloc(&device, 65536) != cudaSuccess || cudaMallocManaged(&managed, 128) != cudaSuccess ||
      cudaMallocHost(&locked, 128) != cudaSuccess)
    return 2;
  for (int i = 0; i < 32; ++i) managed[i] = locked[i] = i;
  twice<<<1, 32>>>(managed);
  twice<<<1, 32>>>(locked);
  if (cudaDeviceSynchronize() != cudaSuccess || managed[31] != 62 || locked[31] != 62) return 3;
  device[7] = 1;
  return 0;
}
