// Constants by CUDA's names, on the device and on the host: math_constants.h, and values of enumerations as the
// documents of the runtime API list them. Prints a line for each that has another type or other bits, PASS at the end.
#include <math_constants.h>

#include <cmath>
#include <cstring>
#include <type_traits>

#include "expect.h"

static_assert(cudaSharedmemCarveoutDefault == -1 && cudaSharedmemCarveoutMaxShared == 100 &&
                  cudaSharedmemCarveoutMaxL1 == 0,
              "enum cudaSharedCarveout");

struct Value {
  unsigned long long bits;
};
/// The bits of a number as a double, which holds each of them, but for those of a NaN.
__host__ __device__ static Value bits_of(double number) {
  Value value;
  memcpy(&value.bits, &number, sizeof number);
  return value;
}

#define VALUE(type, name, expected) \
  static_assert(std::is_same<type, decltype(CUDART_##name)>::value, "CUDART_" #name " has another type");
#include "constants.def"
#undef VALUE

__host__ __device__ static void fill(Value* to) {
#define VALUE(type, name, expected) *to++ = bits_of(CUDART_##name);
#include "constants.def"
#undef VALUE
}
__global__ void fill_on_device(Value* to) { fill(to); }
__global__ void not_numbers(float* narrow, double* wide) {
  *narrow = CUDART_NAN_F;
  *wide = CUDART_NAN;
}

struct Expected {
  const char* name;
  double value;
};
static const Expected expected[] = {
#define VALUE(type, name, expected) {#name, expected},
#include "constants.def"
#undef VALUE
};
constexpr int kCount = sizeof expected / sizeof *expected;

static void check(const Value* values, const char* where) {
  for (int i = 0; i < kCount; ++i) {
    if (values[i].bits == bits_of(expected[i].value).bits) continue;
    std::printf("%s on the %s: %llx, not %a\n", expected[i].name, where, values[i].bits, expected[i].value);
    ++failures;
  }
}

int main() {
  EXPECT(cudaFuncSetAttribute(fill_on_device, cudaFuncAttributePreferredSharedMemoryCarveout,
                              cudaSharedmemCarveoutMaxShared) == cudaSuccess);
  Value *values = nullptr, own[kCount];
  EXPECT(cudaMallocManaged(&values, sizeof own) == cudaSuccess);
  fill_on_device<<<1, 1>>>(values);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  check(values, "device");
  fill(own);
  check(own, "host");
  not_numbers<<<1, 1>>>((float*)values, (double*)values + 1);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT((unsigned)values[0].bits == 0x7fffffff && values[1].bits == 0xfff8000000000000);
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
