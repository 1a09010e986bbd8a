// Algorithms of Thrust, which are CUB's underneath: they find the code that was compiled for the device.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <cstdio>

int main() {
  thrust::host_vector<int> shuffled(1000);
  for (int i = 0; i < 1000; ++i) shuffled[i] = 1 + i * 7 % 1000;  // 1 to 1000, each once: 7 and 1000 have no factor
  thrust::device_vector<int> values = shuffled;
  std::printf("sum %d\n", thrust::reduce(values.begin(), values.end()));
  thrust::sort(values.begin(), values.end(), thrust::greater<int>());
  std::printf("sorted %d %d %d\n", (int)values[0], (int)values[1], (int)values[999]);
  thrust::inclusive_scan(values.begin(), values.end(), values.begin());
  std::printf("scanned %d %d\n", (int)values[1], (int)values[999]);
}
