// What ordinary programs use, each checked against the host: prints one line per failure, PASS at the end.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "expect.h"

__constant__ float factors[4];
__device__ int counter;
__device__ float table[3] = {1.0f, 2.0f, 4.0f};

__global__ void scale(const float* from, float* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    to[i] = from[i] * factors[i & 3];
    atomicAdd(&counter, 1);
  }
}

template <typename T, int kThreads>
__global__ void sum_blocks(const T* values, T* sums) {
  __shared__ T partial[kThreads];
  partial[threadIdx.x] = values[blockIdx.x * kThreads + threadIdx.x];
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

__global__ void reverse(int* values) {
  extern __shared__ int copy[];
  copy[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = copy[blockDim.x - 1 - threadIdx.x];
}

struct Pair {
  float x;
  double y;
};
__global__ void by_value(Pair pair, float3 vector, double* out) {
  *out = pair.x + pair.y + vector.x + vector.y + vector.z + table[2];
}

__global__ void warp_sum(int* out) {
  int value = threadIdx.x;
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  const unsigned odd = __ballot_sync(0xffffffff, threadIdx.x & 1);
  if (threadIdx.x == 0) {
    out[0] = value;
    out[1] = __popc(odd);
  }
}

/// To the left; amounts from 64 on count modulo 64.
__host__ __device__ unsigned long long rotated(unsigned long long value, unsigned amount) {
  amount &= 63;
  return amount != 0 ? value << amount | value >> (64 - amount) : value;
}
__global__ void rotate(unsigned long long value, unsigned long long* out) {
  out[threadIdx.x] = rotated(value, 5 * threadIdx.x);
}

__global__ void mathematics(const float* in, float* out) {
  const float x = in[threadIdx.x];
  out[threadIdx.x] = sinf(x) * expf(x) + std::sqrt(fabsf(x)) + fmaxf(x, 0.5f) + max(x, 1.0f);
}

static void constants_globals_atomics() {
  const int count = 1000;
  std::vector<float> host(count);
  for (int i = 0; i < count; ++i) host[i] = i;
  float *from, *to;
  EXPECT(cudaMalloc(&from, count * sizeof(float)) == cudaSuccess);
  EXPECT(cudaMalloc(&to, count * sizeof(float)) == cudaSuccess);
  EXPECT(cudaMemcpy(from, host.data(), count * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
  const float values[4] = {1, 2, 3, 4};
  EXPECT(cudaMemcpyToSymbol(factors, values, sizeof values) == cudaSuccess);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  scale<<<(count + 255) / 256, 256>>>(from, to, count);
  cudaEventRecord(stop);
  EXPECT(cudaGetLastError() == cudaSuccess);
  float milliseconds = 0;
  EXPECT(cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess && milliseconds > 0);
  std::vector<float> back(count);
  EXPECT(cudaMemcpy(back.data(), to, count * sizeof(float), cudaMemcpyDefault) == cudaSuccess);
  for (int i = 0; i < count; ++i) EXPECT(back[i] == i * values[i & 3]);
  int counted = 0;
  EXPECT(cudaMemcpyFromSymbol(&counted, counter, sizeof counted) == cudaSuccess && counted == count);
  size_t bytes = 0;
  EXPECT(cudaGetSymbolSize(&bytes, factors) == cudaSuccess && bytes == sizeof values);
  EXPECT(cudaFree(from) == cudaSuccess && cudaFree(to) == cudaSuccess);
}

static void shared_memory_and_templates() {
  std::vector<int> host(512);
  for (int i = 0; i < 512; ++i) host[i] = i;
  int *values, *sums, total[4];
  cudaMalloc(&values, sizeof(int) * 512);
  cudaMalloc(&sums, sizeof total);
  cudaMemcpy(values, host.data(), sizeof(int) * 512, cudaMemcpyHostToDevice);
  sum_blocks<int, 128><<<4, 128>>>(values, sums);
  cudaMemcpy(total, sums, sizeof total, cudaMemcpyDeviceToHost);
  for (int block = 0; block < 4; ++block) EXPECT(total[block] == 128 * 128 * block + 127 * 64);
  reverse<<<1, 512, 512 * sizeof(int)>>>(values);
  std::vector<int> back(512);
  cudaMemcpy(back.data(), values, sizeof(int) * 512, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 512; ++i) EXPECT(back[i] == 511 - i);
}

static void parameters_warps_mathematics() {
  double *sum, host_sum = 0;
  cudaMalloc(&sum, sizeof(double));
  by_value<<<1, 1>>>(Pair{1.5f, 2.25}, make_float3(10, 20, 30), sum);
  cudaMemcpy(&host_sum, sum, sizeof(double), cudaMemcpyDeviceToHost);
  EXPECT(host_sum == 67.75);
  int *out, results[2];
  cudaMalloc(&out, sizeof results);
  warp_sum<<<1, 32>>>(out);
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  EXPECT(results[0] == 31 * 16 && results[1] == 16);
  float x[32], y[32], *in, *to;
  for (int i = 0; i < 32; ++i) x[i] = (i - 16) * 0.7f;
  cudaMalloc(&in, sizeof x);
  cudaMalloc(&to, sizeof y);
  cudaMemcpy(in, x, sizeof x, cudaMemcpyHostToDevice);
  mathematics<<<1, 32>>>(in, to);
  cudaMemcpy(y, to, sizeof y, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) {
    const double exact = std::sin(double(x[i])) * std::exp(double(x[i])) + std::sqrt(std::fabs(x[i])) +
                         std::max(x[i], 0.5f) + std::max(x[i], 1.0f);
    EXPECT(std::fabs(y[i] - exact) < 1e-5 * (1 + std::fabs(exact) + std::exp(double(x[i]))));
  }
}

static void rotations() {
  const unsigned long long value = 0x8123456789abcdef;
  unsigned long long results[32], *out;
  cudaMalloc(&out, sizeof results);
  rotate<<<1, 32>>>(value, out);
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) EXPECT(results[i] == rotated(value, 5 * i));
}

static void errors_and_queries() {
  int count = 0, warp_size = 0;
  EXPECT(cudaGetDeviceCount(&count) == cudaSuccess && count == 1);
  cudaDeviceProp properties;
  EXPECT(cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.multiProcessorCount == 15);
  EXPECT(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024);
  EXPECT(cudaDeviceGetAttribute(&warp_size, cudaDevAttrWarpSize, 0) == cudaSuccess && warp_size == 32);
  EXPECT(cudaSetDevice(1) == cudaErrorInvalidDevice);
  EXPECT(cudaGetLastError() == cudaErrorInvalidDevice && cudaGetLastError() == cudaSuccess);
  int host = 0;
  EXPECT(cudaMemcpyToSymbol(failures, &host, sizeof host) == cudaErrorInvalidSymbol);  // a host variable
  EXPECT(cudaMemcpy(&host, &host, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  void* too_much = nullptr;
  EXPECT(cudaMalloc(&too_much, size_t(1) << 60) == cudaErrorMemoryAllocation);
  EXPECT(cudaFree(&host) == cudaErrorInvalidValue);
  cudaGetLastError();
  cudaStream_t stream;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess);
  EXPECT(cudaStreamDestroy(stream) == cudaSuccess && cudaStreamQuery(stream) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  cudaFuncAttributes attributes;
  EXPECT(cudaFuncGetAttributes(&attributes, sum_blocks<int, 128>) == cudaSuccess && attributes.sharedSizeBytes == 512);
  // The virtual architecture, by which CUB chooses what it compiled; not the version of the PTX ISA.
  EXPECT(attributes.ptxVersion == 10 * properties.major + properties.minor);
  EXPECT(attributes.binaryVersion == attributes.ptxVersion && attributes.ptxVersion >= 70);
}

int main() {
  constants_globals_atomics();
  shared_memory_and_templates();
  parameters_warps_mathematics();
  rotations();
  errors_and_queries();
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
