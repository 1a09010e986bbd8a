// Managed memory: host and kernels read and write the same addresses. Prints one line per failure, PASS at the end.
#include <cuda_runtime.h>

#include <cstdio>

#include "expect.h"

struct Node {
  int value;
  Node* next;
};

__global__ void add_along(Node* list, int* sum) {
  for (Node* node = list; node; node = node->next) {
    *sum += node->value;
    node->value = -node->value;
  }
}

__device__ __managed__ int variable = 40;
__global__ void increment() { variable += 2; }

static Node* make_list(int length) {
  Node* first = nullptr;
  for (int value = length; value > 0; --value) {
    Node* node = nullptr;
    EXPECT(cudaMallocManaged(&node, sizeof(Node)) == cudaSuccess);
    *node = {value, first};
    first = node;
  }
  return first;
}

static void pointers_mean_the_same_on_both_sides() {
  Node* list = make_list(100);
  int* sum = nullptr;
  EXPECT(cudaMallocManaged(&sum, sizeof *sum, cudaMemAttachHost) == cudaSuccess);
  *sum = 5;
  add_along<<<1, 1>>>(list, sum);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(*sum == 5 + 100 * 101 / 2);
  for (int value = 1; list; ++value) {
    EXPECT(list->value == -value);
    Node* next = list->next;
    EXPECT(cudaFree(list) == cudaSuccess);
    list = next;
  }
  EXPECT(cudaFree(sum) == cudaSuccess);
}

static void queries_and_copies() {
  int *managed = nullptr, *device = nullptr, back = 0;
  EXPECT(cudaMallocManaged(&managed, sizeof *managed) == cudaSuccess);
  EXPECT(cudaMalloc(&device, sizeof *device) == cudaSuccess);
  cudaPointerAttributes attributes;
  EXPECT(cudaPointerGetAttributes(&attributes, managed) == cudaSuccess);
  EXPECT(attributes.type == cudaMemoryTypeManaged);
  EXPECT(attributes.hostPointer == managed && attributes.devicePointer == managed);
  int supported = 0;
  EXPECT(cudaDeviceGetAttribute(&supported, cudaDevAttrManagedMemory, 0) == cudaSuccess && supported == 1);
  *managed = 7;
  EXPECT(cudaMemcpy(device, managed, sizeof *device, cudaMemcpyDefault) == cudaSuccess);
  EXPECT(cudaMemset(managed, 0, sizeof *managed) == cudaSuccess && *managed == 0);
  EXPECT(cudaMemcpy(managed, device, sizeof *device, cudaMemcpyDeviceToDevice) == cudaSuccess && *managed == 7);
  EXPECT(cudaMemcpy(&back, managed, sizeof back, cudaMemcpyDeviceToHost) == cudaSuccess && back == 7);
}

static void what_cannot_be_is_refused() {
  void* pointer = nullptr;
  EXPECT(cudaMallocManaged(&pointer, 0) == cudaSuccess);
  EXPECT(cudaMallocManaged(&pointer, 4, 0) == cudaErrorInvalidValue);
  EXPECT(cudaMallocManaged(&pointer, size_t(1) << 60) == cudaErrorMemoryAllocation);
  cudaGetLastError();
}

int main() {
  pointers_mean_the_same_on_both_sides();
  queries_and_copies();
  what_cannot_be_is_refused();
  variable -= 1;
  increment<<<1, 1>>>();
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && variable == 41);
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
