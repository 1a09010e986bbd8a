// Threads that return early, having done something, while others of their warp go on to barriers.
#include <cassert>
#include <cstdio>

constexpr int kThreads = 64, kStay = 50;

__global__ void after_a_store(int* out) {
  __shared__ int shared[kThreads];
  const int thread = threadIdx.x;
  if (thread >= kStay) {
    out[thread] = -1;
    return;
  }
  shared[thread] = thread;
  __syncthreads();
  out[thread] = shared[kStay - 1 - thread];
}

__global__ void from_a_loop(int* out) {
  __shared__ int shared[kThreads];
  const int thread = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    if (thread >= kThreads - 4 - round) {
      out[thread] = -1 - round;
      return;
    }
    shared[thread] = thread + round;
    __syncthreads();
    if (thread < kStay) sum += shared[kStay - 1 - thread];
    __syncthreads();
  }
  shared[thread] = sum;
  __syncthreads();
  out[thread] = thread < kStay ? shared[thread] : -4;
}

__global__ void within_a_branch(int* out) {
  __shared__ int shared[kThreads];
  const int thread = threadIdx.x;
  int value = thread;
  if (thread & 1) {
    if (thread >= kStay) {
      out[thread] = -2;
      return;
    }
    assert(thread < kThreads);
    value = out[thread ^ 1] + thread;
  }
  shared[thread] = value;
  __syncthreads();
  out[thread] = shared[thread & ~1];
}

int main() {
  int *out, wrong = 0;
  cudaMallocManaged(&out, kThreads * sizeof *out);
  after_a_store<<<1, kThreads>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < kThreads; ++i) wrong += out[i] != (i < kStay ? kStay - 1 - i : -1);
  from_a_loop<<<1, kThreads>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < kThreads; ++i)
    wrong += out[i] != (i < kStay ? 3 * (kStay - 1 - i) + 3 : i >= 60 ? -1 : i == 59 ? -2 : i == 58 ? -3 : -4);
  within_a_branch<<<1, kThreads>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < kThreads; ++i) wrong += out[i] != (i < kStay || i % 2 == 0 ? i & ~1 : -2);
  printf(wrong == 0 && cudaGetLastError() == cudaSuccess ? "right\n" : "%d are wrong\n", wrong);
  return wrong != 0;
}
