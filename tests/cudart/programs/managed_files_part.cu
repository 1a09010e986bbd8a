// The other file of managed_files.cu.
#include <cuda_runtime.h>

#include "managed_files.h"

__managed__ int numbers[4] = {1, 2, 3, 4};
static __managed__ int own = 20;

__device__ void add_to_numbers(int more) {
  for (int& number : numbers) number += more;
}
__global__ void part() {
  total += numbers[0];
  own++;
}
void part_runs() { part<<<1, 1>>>(); }
int part_of_own() { return own; }
int* part_address(int which) { return which == 0 ? &total : &numbers[3]; }
