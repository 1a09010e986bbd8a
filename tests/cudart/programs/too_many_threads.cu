// Asks again and again for blocks that no machine has, and how that went; the device stays usable.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <thread>

__global__ void nothing() {}

static void launch() {
  for (int i = 0; i < 3; ++i) nothing<<<1, 2048>>>();
}

static const char* error() {
#if defined(NEVER_ASKS)  // but for something else
  launch();
  CUcontext context;
  cuCtxGetCurrent(&context);
  return "no error";
#elif defined(ANOTHER_THREAD_ASKS)
  std::thread(launch).join();
  std::thread([] { cudaGetLastError(); }).join();
  return "no error";
#elif defined(LOOKS_AT_THE_RESULT)
  return cudaGetErrorName(cudaLaunchKernel((const void*)nothing, dim3(1), dim3(2048), nullptr, 0, nullptr));
#else
  launch();
  return cudaGetErrorName(cudaGetLastError());
#endif
}

int main() {
  const char* const first = error();
  nothing<<<1, 1024>>>();
  std::printf("%s, then %s\n", first, cudaGetErrorName(cudaDeviceSynchronize()));
}
