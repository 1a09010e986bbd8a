// Special registers in inline assembly behind one percent sign, as many programs have them, or behind two.
#include "expect.h"

static __device__ unsigned lane() {
  unsigned value;
  asm("mov.u32 %0, %laneid;" : "=r"(value));
  return value;
}

template <typename T>
__device__ T lanes_below() {
  T value;
  asm("{\n\t"
      ".reg .u32 %below;\n\t"
      "mov.u32 %below, %lanemask_lt;\n\t"
      "popc.b32 %0, %below;}"
      : "=r"(value));
  return value;
}

__global__ void identify(unsigned* out) {
  unsigned one_warp;
  asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(one_warp));
  asm("// %laneid is no operand: there is none");
  out[threadIdx.x] = 100 * lane() + lanes_below<unsigned>() + 0 * one_warp;
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 32 * sizeof *out);
  identify<<<1, 32>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 32; ++i) EXPECT(out[i] == 101 * i);
  if (failures == 0) std::puts("PASS");
  return failures;
}
