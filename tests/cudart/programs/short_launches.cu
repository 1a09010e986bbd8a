// A launch needs some MB on the host for registers and local memory. The next one finds them there: the system does not
// take the pages back and give them anew, which would cost more than a short launch itself.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>

constexpr int kWords = 1000, kLaunches = 100;
constexpr long kMostFaults = 20;  // per launch, whose memory is up to a thousand pages

__global__ void through_local_memory(int* data, int words) {
  int local[kWords];
  for (int i = 0; i < words; ++i) local[i] = data[i];
  data[threadIdx.x] = local[data[threadIdx.x]];
}

static long page_faults() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  return used.ru_minflt;
}

/// In a launch that is like the ones before it, on average: the heap takes some launches to settle.
static long faults_per_launch(int* data, int threads) {
  long before = 0;
  for (int i = -2; i < kLaunches; ++i) {
    if (i == 0) before = page_faults();
    through_local_memory<<<1, threads>>>(data, 1);
    cudaDeviceSynchronize();
  }
  return (page_faults() - before) / kLaunches;
}

int main() {
  int* data;
  cudaMalloc(&data, 1024 * sizeof *data);
  cudaMemset(data, 0, 1024 * sizeof *data);
  long most = 0;
  for (const int threads : {64, 1024}) most = std::max(most, faults_per_launch(data, threads));
  if (most > kMostFaults) std::fprintf(stderr, "%ld page faults per launch, %ld allowed\n", most, kMostFaults);
  const bool passes = most <= kMostFaults && cudaGetLastError() == cudaSuccess;
  std::puts(passes ? "PASS" : "FAIL");
  return !passes;
}
