// Virtual functions, also of what holds others of its kind, and a table of pointers to functions.
#include <cuda_runtime.h>

#include <cstdio>
#include <new>

struct Function {
  __host__ __device__ virtual float at(float x) const = 0;
  __host__ __device__ virtual ~Function() {}
};

struct Line final : Function {
  __host__ __device__ Line(float slope) : slope(slope) {}
  __host__ __device__ float at(float x) const override { return slope * x; }
  float slope;
};

struct Steps final : Function {
  __host__ __device__ Steps(int count) : count(count) {}
  __host__ __device__ float at(float x) const override {
    float sum = 0;
    for (int i = 0; i < count; ++i) sum += x - i;
    return sum;
  }
  int count;
};

struct Sum final : Function {
  __host__ __device__ Sum(const Function* left, const Function* right) : left(left), right(right) {}
  __host__ __device__ float at(float x) const override { return left->at(x) + right->at(x); }
  const Function *left, *right;
};

constexpr int kFunctions = 3, kThreads = 96;

struct Scene {
  alignas(8) char place[kFunctions][32];
  const Function* function[kFunctions];

  __host__ __device__ void make() {
    function[0] = new (place[0]) Line(2);
    function[1] = new (place[1]) Steps(5);
    function[2] = new (place[2]) Sum(function[0], function[1]);
  }
};

typedef int (*Operation)(int, int);
__device__ int least(int a, int b) { return a < b ? a : b; }
__device__ int product(int a, int b) { return a * b; }
__device__ Operation operations[2] = {least, product};

__global__ void make(Scene* scene) { scene->make(); }

__global__ void evaluate(const Scene* scene, float* values, int* numbers) {
  const int i = threadIdx.x;
  values[i] = scene->function[i % kFunctions]->at(i);
  numbers[i] = operations[i / 5 % 2](i, 7);
}

int main() {
  Scene *scene = nullptr, expected;
  float* values = nullptr;
  int* numbers = nullptr;
  cudaMalloc(&scene, sizeof *scene);
  cudaMallocManaged(&values, kThreads * sizeof *values);
  cudaMallocManaged(&numbers, kThreads * sizeof *numbers);
  make<<<1, 1>>>(scene);
  evaluate<<<1, kThreads>>>(scene, values, numbers);
  const cudaError_t error = cudaDeviceSynchronize();
  expected.make();
  bool right = error == cudaSuccess;
  for (int i = 0; i < kThreads; ++i) {
    right = right && values[i] == expected.function[i % kFunctions]->at(i);
    right = right && numbers[i] == (i / 5 % 2 == 0 ? (i < 7 ? i : 7) : i * 7);
  }
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
