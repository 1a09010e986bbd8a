/* The C part of the runtime API, in a program that is no C++. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int *class = malloc(sizeof *class), *new = NULL; /* C has neither word for itself, and converts void* */
  const int4 four = make_int4(1, 2, 3, 4);
  dim3 block = {32, 4, 1};
  struct cudaDeviceProp properties;
  struct cudaChannelFormatDesc channel = cudaCreateChannelDesc(8, 8, 0, 0, cudaChannelFormatKindUnsigned);
  const int works = cudaMalloc((void**)&new, sizeof *new) == cudaSuccess &&
                    cudaMemset(new, 1, sizeof *new) == cudaSuccess &&
                    cudaMemcpy(class, new, sizeof *new, cudaMemcpyDeviceToHost) == cudaSuccess &&
                    cudaGetDeviceProperties(&properties, 0) == cudaSuccess;
  puts(works && *class == 0x1010101 && block.y == four.w && channel.y == 8 && properties.warpSize == 32 ? "PASS" : "FAIL");
  free(class);
  return 0;
}
