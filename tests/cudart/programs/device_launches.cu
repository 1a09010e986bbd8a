// Kernels that launch kernels (CUDA dynamic parallelism): in which order they run, with which arguments, and what of
// the device runtime's calls a thread may make. Built by nvcc -rdc=true -lcudadevrt; prints PASS at the end.
#include <cstdio>
#include <initializer_list>

#include "expect.h"

// What ran, one behind the other.
__device__ int log_[64], logged;

__device__ void note(int what) { log_[atomicAdd(&logged, 1)] = what; }

__global__ void leaf(int what) {
  if (threadIdx.x == 0) note(what);
}

__global__ void branching(int what) {
  note(what);
  leaf<<<1, 32, 0, cudaStreamTailLaunch>>>(10 * what + 3);
  leaf<<<1, 32>>>(10 * what + 1);
  leaf<<<1, 32>>>(10 * what + 2);
}

// The tail runs when all others have ended, with what they launch.
__global__ void root() {
  leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(9);
  branching<<<1, 1>>>(1);
  leaf<<<1, 1, 0, cudaStreamFireAndForget>>>(2);
  note(0);
}

struct Mixed {
  char letter;
  double number;
  short three[3];
};

__global__ void takes(Mixed mixed, float* out, int count) {
  extern __shared__ float rows[];
  rows[threadIdx.x] = static_cast<float>(mixed.number) + mixed.letter + mixed.three[2] + threadIdx.y;
  __syncthreads();
  if (threadIdx.y == 0) out[blockIdx.y * blockDim.x + threadIdx.x] = rows[threadIdx.x] + count;
}

__global__ void gives(float* out) {
  if (threadIdx.x < 2)
    takes<<<dim3(1, 3), dim3(8, 1), 8 * sizeof(float)>>>({'a', 0.5, {1, 2, 3}}, out + 24 * threadIdx.x,
                                                         1000 * threadIdx.x);
}

// Each level in halves, until there is one element.
__global__ void doubled(int* data, int count) {
  if (count == 1) {
    *data *= 2;
    return;
  }
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  doubled<<<1, 1, 0, stream>>>(data, count / 2);
  doubled<<<1, 1>>>(data + count / 2, count - count / 2);
  cudaStreamDestroy(stream);
}

__global__ void refused(int* errors) {
  leaf<<<1, 4096>>>(0);
  errors[0] = cudaGetLastError();
  errors[1] = cudaGetLastError();
  leaf<<<0, 1>>>(0);
  errors[2] = cudaPeekAtLastError();
  leaf<<<1, 1>>>(7);
  errors[3] = cudaGetLastError();
  int device = 5;
  cudaGetDevice(&device);
  errors[4] = device;
}

__global__ void copies(unsigned char* to, const unsigned char* from, int bytes) {
  cudaMemsetAsync(to, 0, 2 * bytes, 0);  // CUDA 13's library sets 0 whatever the value
  cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, 0);
}

static void expect_log(std::initializer_list<int> expected) {
  int host[64], count = 0;
  cudaMemcpyFromSymbol(&count, logged, sizeof count);
  cudaMemcpyFromSymbol(host, log_, sizeof host);
  EXPECT(count == static_cast<int>(expected.size()));
  int next = 0;
  for (const int what : expected) EXPECT(host[next++] == what);
}

static void test_order() {
  root<<<1, 1>>>();
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  expect_log({0, 1, 11, 12, 13, 2, 9});
}

static void test_arguments() {
  float *out, host[48];
  cudaMalloc(&out, sizeof host);
  gives<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 48; ++i) EXPECT(host[i] == 'a' + 3.5f + (i < 24 ? 0 : 1000));
}

static void test_recursion() {
  int *data, host[13];
  for (int i = 0; i < 13; ++i) host[i] = i;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  doubled<<<1, 1>>>(data, 13);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 13; ++i) EXPECT(host[i] == 2 * i);
}

static void test_errors() {
  int *errors, host[5];
  cudaMalloc(&errors, sizeof host);
  refused<<<1, 1>>>(errors);
  cudaMemcpy(host, errors, sizeof host, cudaMemcpyDeviceToHost);
  EXPECT(host[0] == cudaErrorInvalidConfiguration);
  EXPECT(host[1] == cudaSuccess);
  EXPECT(host[2] == cudaErrorInvalidConfiguration);
  EXPECT(host[3] == cudaErrorInvalidConfiguration);  // as nobody has cleared it
  EXPECT(host[4] == 0);
}

static void test_copies() {
  unsigned char *memory, host[300];
  for (int i = 0; i < 300; ++i) host[i] = static_cast<unsigned char>(i);
  cudaMalloc(&memory, sizeof host);
  cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
  copies<<<1, 1>>>(memory + 100, memory, 99);
  cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 99; ++i) EXPECT(host[100 + i] == i);
  for (int i = 199; i < 298; ++i) EXPECT(host[i] == 0);
  EXPECT(host[298] == static_cast<unsigned char>(298));
}

int main() {
  test_order();
  test_arguments();
  test_recursion();
  test_errors();
  test_copies();
  std::printf(failures == 0 ? "PASS\n" : "FAIL\n");
  return failures != 0;
}
