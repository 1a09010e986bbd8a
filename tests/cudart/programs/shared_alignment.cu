// Where variables in shared memory begin: alignas behind __shared__, with a number, a type and a constant of a
// template, and memory of the launch behind an odd number of bytes. Prints a line for each expectation that does not
// hold, PASS at the end.
#include <functional>
#include <map>

#include "expect.h"

struct alignas(32) Triple {
  float v[3];
};
template <class T>
struct Room {
  static constexpr int kAlignment = 64;
  alignas(T) char bytes[sizeof(T)];
};

extern __shared__ char memory[];

template <class T>
__device__ size_t misplaced() {
  __shared__ alignas(T) char as_type[3];
  __shared__ alignas(Room<T>::kAlignment) char as_constant[5];
  __shared__ alignas(alignof(T) * 2) char twice;
  __shared__ alignas(64) T of_type[2];
  return size_t(as_type) % alignof(T) + size_t(as_constant) % 64 + size_t(&twice) % (2 * alignof(T)) +
         size_t(of_type) % 64;
}

__global__ void place(size_t* out) {
  __shared__ char odd[5];
  __shared__ alignas(128) int numbers[4];
  odd[threadIdx.x % 5] = 1;
  reinterpret_cast<float4*>(memory)[threadIdx.x] = make_float4(1, 2, 3, 4);
  __syncthreads();
  out[0] = size_t(numbers) % 128 + misplaced<Triple>() + misplaced<double>();
  out[1] = size_t(memory) % 16 + odd[4] * size_t(reinterpret_cast<float4*>(memory)[31].w);
}

int main() {
  size_t* out;
  EXPECT(cudaMallocManaged(&out, 2 * sizeof *out) == cudaSuccess);
  place<<<1, 32, 512>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(out[0] == 0 && out[1] == 4);
  alignas(64) static int place_of_host;
  EXPECT(size_t(&place_of_host) % 64 == 0 && alignof(Room<Triple>) == 32 && sizeof(Triple) == 32);
  std::map<int, std::function<int()>> functions;  // the library's headers have alignas, too
  functions[1] = [] { return 4; };
  EXPECT(functions[1]() == 4);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
