// Pointers in device memory that begin as an address inside a variable.
#include "expect.h"

struct Node {
  char key;
  int values[3];
  const Node* next;
};

__device__ Node nodes[2] = {{'a', {1, 2, 3}, nullptr}, {'b', {4, 5, 6}, nullptr}};
__device__ const Node* second = &nodes[1];
__constant__ int* last_value = &nodes[1].values[2];
__constant__ const char* tail = &"tail"[1];
static __device__ int* pair[2] = {&nodes[0].values[1], nullptr};
__device__ void* volatile past_the_end = nodes + 2;
__device__ int** of_a_pointer = pair + 1;

__global__ void read(int* out) {
  *of_a_pointer = last_value;
  out[0] = second->key;
  out[1] = *last_value + *pair[0] * 10;
  out[2] = tail[0];
  out[3] = static_cast<char*>(past_the_end) - reinterpret_cast<char*>(nodes) == 2 * sizeof(Node);
  out[4] = *pair[1];
  asm("// @last_value" : : "l"(second));
}

int main() {
  int* out;
  cudaMallocManaged(&out, 5 * sizeof *out);
  read<<<1, 1>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(out[0] == 'b' && out[1] == 26 && out[2] == 'a' && out[3] == 1 && out[4] == 6);
  const Node* there = nullptr;
  void* nodes_are_at = nullptr;
  EXPECT(cudaMemcpyFromSymbol(&there, second, sizeof there) == cudaSuccess);
  EXPECT(cudaGetSymbolAddress(&nodes_are_at, nodes) == cudaSuccess && there == static_cast<Node*>(nodes_are_at) + 1);
  if (failures == 0) std::puts("PASS");
  return failures;
}
