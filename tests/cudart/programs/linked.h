// What linked.cu and linked_part.cu share.
#pragma once

struct Item {
  float weight;
  int number;
};
using Operation = int (*)(int);

extern __device__ int calls;
extern __constant__ float scale[4];
extern __device__ Operation operations[2];
__device__ float weigh(const Item& item, int more);
__device__ int twice(int value);

template <int N>
__device__ __noinline__ int plus(int value) {  // of both files
  return value + N;
}

bool part_passes(float* results);
