// A launch needs some MB on the host for registers and local memory. The next one finds them there: the system does not
// take the pages back and give them anew, which would cost more than a short launch itself.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>

constexpr int kWords = 1000, kLaunches = 100;
constexpr long kFewFaults = 20;  // of a launch whose memory is 60 to a thousand pages

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

/// Of the launch in the middle when they are ordered by their faults. Now and then the heap still grows, for how its
/// pieces lie depends on how the threads of the host interleave; most launches fit into what the ones before them left.
static long median_faults(int* data, int threads) {
  long faults[kLaunches];
  for (long& of_launch : faults) {
    const long before = page_faults();
    through_local_memory<<<1, threads>>>(data, 1);
    cudaDeviceSynchronize();
    of_launch = page_faults() - before;
  }
  std::sort(faults, faults + kLaunches);
  return faults[kLaunches / 2];
}

int main() {
  int* data;
  cudaMalloc(&data, 1024 * sizeof *data);
  cudaMemset(data, 0, 1024 * sizeof *data);
  const long most = std::max(median_faults(data, 64), median_faults(data, 1024));
  if (most > kFewFaults) std::fprintf(stderr, "%ld page faults in a launch, %ld allowed\n", most, kFewFaults);
  const bool passes = most <= kFewFaults && cudaGetLastError() == cudaSuccess;
  std::puts(passes ? "PASS" : "FAIL");
  return !passes;
}
