// Constants by CUDA's names, on the device and on the host: math_constants.h, those of 16 bits, and values of
// enumerations as the documents of the runtime API list them. Prints a line for each that has another type or other
// bits, PASS at the end.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

#include <cmath>
#include <cstring>
#include <type_traits>

#include "expect.h"

static_assert(cudaSharedmemCarveoutDefault == -1 && cudaSharedmemCarveoutMaxShared == 100 &&
                  cudaSharedmemCarveoutMaxL1 == 0,
              "enum cudaSharedCarveout");

static_assert(cudaFuncAttributeClusterDimMustBeSet == 10 && cudaFuncAttributeRequiredClusterWidth == 11 &&
                  cudaFuncAttributeRequiredClusterHeight == 12 && cudaFuncAttributeRequiredClusterDepth == 13 &&
                  cudaFuncAttributeNonPortableClusterSizeAllowed == 14 &&
                  cudaFuncAttributeClusterSchedulingPolicyPreference == 15 && cudaFuncAttributeMax == 16,
              "enum cudaFuncAttribute");
static_assert(cudaClusterSchedulingPolicyDefault == 0 && cudaClusterSchedulingPolicySpread == 1 &&
                  cudaClusterSchedulingPolicyLoadBalancing == 2,
              "enum cudaClusterSchedulingPolicy");
static_assert(cudaSyncPolicyAuto == 1 && cudaSyncPolicySpin == 2 && cudaSyncPolicyYield == 3 &&
                  cudaSyncPolicyBlockingSync == 4,
              "enum cudaSynchronizationPolicy");
static_assert(cudaEnableDefault == 0 && cudaEnableLegacyStream == 1 && cudaEnablePerThreadDefaultStream == 2,
              "enum cudaGetDriverEntryPointFlags");
static_assert(cudaDeviceScheduleMask == 7 && cudaDeviceMask == 255, "macros of driver_types.h");
static_assert(cudaRoundNearest == 0 && cudaRoundZero == 1 && cudaRoundPosInf == 2 && cudaRoundMinInf == 3,
              "enum cudaRoundMode");
static_assert(cudaGraphNodeTypeExtSemaphoreSignal == 8 && cudaGraphNodeTypeConditional == 13 &&
                  cudaGraphNodeTypeCount == 14 && cudaGraphExecUpdateErrorFunctionChanged == 4 &&
                  cudaGraphExecUpdateErrorUnsupportedFunctionChange == 7 &&
                  cudaGraphExecUpdateErrorAttributesChanged == 8,
              "enumerations of graphs");
static_assert(cudaGraphMemAttrUsedMemCurrent == 0 && cudaGraphMemAttrUsedMemHigh == 1 &&
                  cudaGraphMemAttrReservedMemCurrent == 2 && cudaGraphMemAttrReservedMemHigh == 3,
              "enum cudaGraphMemAttributeType");
static_assert(cudaPeerAccessDefault == 0 && sizeof(cudaIpcMemHandle_t) == CUDA_IPC_HANDLE_SIZE &&
                  sizeof(cudaIpcEventHandle_t) == CUDA_IPC_HANDLE_SIZE && CUDA_IPC_HANDLE_SIZE == 64,
              "what processes share");

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

/// Of cuda_fp16.h and cuda_bf16.h: infinity, NaN, the least and the largest number, -0, 0 and 1.
constexpr unsigned short kShort[] = {0x7c00, 0x7fff, 1, 0x7bff, 0x8000, 0, 0x3c00,
                                     0x7f80, 0x7fff, 1, 0x7f7f, 0x8000, 0, 0x3f80};
__host__ __device__ static void fill_short(unsigned short* to) {
#define PUT(suffix, bits)                                                             \
  *to++ = bits(CUDART_INF_##suffix), *to++ = bits(CUDART_NAN_##suffix);               \
  *to++ = bits(CUDART_MIN_DENORM_##suffix), *to++ = bits(CUDART_MAX_NORMAL_##suffix); \
  *to++ = bits(CUDART_NEG_ZERO_##suffix), *to++ = bits(CUDART_ZERO_##suffix);         \
  *to++ = bits(CUDART_ONE_##suffix);
  PUT(FP16, __half_as_ushort)
  PUT(BF16, __bfloat16_as_ushort)
#undef PUT
}
__global__ void fill_short_on_device(unsigned short* to) { fill_short(to); }

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
  unsigned short own_short[sizeof kShort / 2];
  fill_short_on_device<<<1, 1>>>((unsigned short*)values);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  fill_short(own_short);
  EXPECT(memcmp(values, kShort, sizeof kShort) == 0 && memcmp(own_short, kShort, sizeof kShort) == 0);
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
