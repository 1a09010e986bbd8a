// __managed__ variables that files share in relocatable device code, with managed_files_part.cu. Prints one line per
// failure, PASS at the end.
#include <cuda_runtime.h>

#include <cstdio>

#include "expect.h"
#include "managed_files.h"

__managed__ int total = 5;
static __managed__ int own = 10;
#ifdef __clang__  // nvcc's are there when all files were initialized
int early = numbers[2];
#else
int early = 3;
#endif

__global__ void work() {
  numbers[0] += 100;
  add_to_numbers(1000);
  own++;
}

int main() {
  EXPECT(early == 3);
  numbers[1] = 50;
  work<<<1, 1>>>();
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(numbers[0] == 1101 && numbers[1] == 1050 && numbers[2] == 1003 && numbers[3] == 1004);
  part_runs();
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(total == 1106 && own == 11 && part_of_own() == 21);
  EXPECT(part_address(0) == &total && part_address(1) == &numbers[3]);
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
