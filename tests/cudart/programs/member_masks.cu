// Votes of all lanes from two sides of a branch: on sm_70 and later they are one vote, here an error; votes of one
// side's own lanes are right everywhere.
#include <cstdio>

__global__ void own_sides(unsigned* out) {
  const unsigned lane = threadIdx.x & 31;
  const unsigned low = __ballot_sync(~0u, lane < 16);
  if (lane < 16)
    out[threadIdx.x] = __ballot_sync(low, 1);
  else
    out[threadIdx.x] = __ballot_sync(~low, lane & 1);
}

__global__ void all_lanes(unsigned* out) {
  const unsigned lane = threadIdx.x & 31;
  if (lane < 16)
    out[threadIdx.x] = __ballot_sync(~0u, 1);
  else
    out[threadIdx.x] = __ballot_sync(~0u, lane & 1);
}

int main() {
  unsigned *device, host[32];
  cudaMalloc(&device, sizeof host);
  own_sides<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("own sides %x %x\n", host[0], host[31]);
  all_lanes<<<1, 32>>>(device);
  std::printf("all lanes: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
