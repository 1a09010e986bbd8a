// What managed_files.cu and managed_files_part.cu share.
#pragma once

extern __managed__ int total;                  // of the former, which does not name it otherwise
extern __device__ __managed__ int numbers[4];  // of the latter
__device__ void add_to_numbers(int more);
void part_runs();
int part_of_own();
int* part_address(int which);
