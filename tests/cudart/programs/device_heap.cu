// Lists that threads make of what they allocate, kept from one launch to the next, and freed by another thread.
#include <cuda_runtime.h>

#include <cstdio>

struct Node {
  __device__ Node(int value, Node* next) : value(value), next(next) {}
  int value;
  Node* next;
};

constexpr int kThreads = 40;

__global__ void make(Node** lists) {
  Node* list = nullptr;
  for (int i = 0; i < threadIdx.x % 5; ++i) list = new Node(threadIdx.x + i, list);
  lists[threadIdx.x] = list;
}

__global__ void sum(Node** lists, int* sums) {
  const int i = kThreads - 1 - threadIdx.x;
  sums[i] = 0;
  for (Node* node = lists[i]; node != nullptr;) {
    sums[i] += node->value;
    Node* const next = node->next;
    delete node;
    node = next;
  }
}

__global__ void too_much(void** block) { *block = malloc(static_cast<size_t>(1) << 40); }

int main() {
  Node** lists = nullptr;
  int* sums = nullptr;
  void** block = nullptr;
  cudaMalloc(&lists, kThreads * sizeof *lists);
  cudaMallocManaged(&sums, kThreads * sizeof *sums);
  cudaMallocManaged(&block, sizeof *block);
  make<<<1, kThreads>>>(lists);
  sum<<<1, kThreads>>>(lists, sums);
  *block = block;
  too_much<<<1, 1>>>(block);
  bool right = cudaDeviceSynchronize() == cudaSuccess && *block == nullptr;
  for (int i = 0; i < kThreads; ++i) {
    const int count = i % 5;
    right = right && sums[i] == count * i + count * (count - 1) / 2;
  }
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
