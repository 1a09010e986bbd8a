// A program with a CUDA runtime of its own, whose answers are wrong.
#include <cstdio>

extern "C" {
int cudaGetDeviceCount(int* count) { return *count = 7, 0; }
__attribute__((visibility("hidden"))) int cudaRuntimeGetVersion(int* version) { return *version = 7, 0; }
int cudaNothingThatThereIs(int* value) { return *value = 0, 0; }
}

int main() {
  int count = 0, version = 0, nothing = 1;
  cudaGetDeviceCount(&count);
  cudaRuntimeGetVersion(&version);
  cudaNothingThatThereIs(&nothing);
  std::printf("of its own: %d devices, release %d\n", count, version + nothing);
}
