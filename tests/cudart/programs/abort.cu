// Dies after its launch.
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void nothing() {}

int main() {
  nothing<<<1, 1>>>();
  std::abort();
}
