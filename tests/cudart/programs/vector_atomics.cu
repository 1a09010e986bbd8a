// Additions of pairs and fours of floats in global memory, of sm_90.
#include "expect.h"

__global__ void add(float2* pair, float4* four, float* before) {
  const float4 old = atomicAdd(four, make_float4(1, 2, 3, 4));
  atomicAdd(pair, make_float2(0.5f, -1));
  atomicAdd_block(pair, make_float2(0.5f, -1));
  atomicAdd_system(pair, make_float2(0, threadIdx.x));
  before[threadIdx.x] = old.w;
}

int main() {
  float* data = nullptr;
  EXPECT(cudaMallocManaged(&data, 48 * sizeof *data) == cudaSuccess);
  add<<<1, 32>>>(reinterpret_cast<float2*>(data), reinterpret_cast<float4*>(data + 4), data + 8);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(data[0] == 32 && data[1] == 31 * 32 / 2 - 64);
  EXPECT(data[4] == 32 && data[5] == 64 && data[6] == 96 && data[7] == 128);
  float sum = 0;  // of 0, 4, 8 … in some order
  for (int i = 0; i < 32; ++i) sum += data[8 + i];
  EXPECT(sum == 4 * 31 * 32 / 2);
  if (failures == 0) std::puts("PASS");
  return failures;
}
