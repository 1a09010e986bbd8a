/* Arithmetic with two floats at once, each rounded as the name says, from sm_100 on (CUDA Math API, "Single Precision
   Intrinsics"). Clang has no registers of two floats; their bits are in one of 64. */
#pragma once

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 1000
#define WARPFORK_PACKED(name, instruction, operands, parameters, ...)                                       \
  static __device__ inline float2 name parameters {                                                         \
    unsigned long long result;                                                                              \
    asm(instruction " " operands ";" : "=l"(result) : __VA_ARGS__);                                         \
    return __builtin_bit_cast(float2, result);                                                              \
  }
#define WARPFORK_BITS(pair) "l"(__builtin_bit_cast(unsigned long long, pair))
#define WARPFORK_PACKED_ROUNDED(cuda, ptx)                                                                  \
  WARPFORK_PACKED(__fadd2_##cuda, "add." ptx "." WARPFORK_FTZ "f32x2", "%0, %1, %2", (float2 a, float2 b), \
                  WARPFORK_BITS(a), WARPFORK_BITS(b))                                                       \
  WARPFORK_PACKED(__fmul2_##cuda, "mul." ptx "." WARPFORK_FTZ "f32x2", "%0, %1, %2", (float2 a, float2 b), \
                  WARPFORK_BITS(a), WARPFORK_BITS(b))                                                       \
  WARPFORK_PACKED(__ffma2_##cuda, "fma." ptx "." WARPFORK_FTZ "f32x2", "%0, %1, %2, %3",                 \
                  (float2 a, float2 b, float2 c), WARPFORK_BITS(a), WARPFORK_BITS(b), WARPFORK_BITS(c))
WARPFORK_PACKED_ROUNDED(rn, "rn")
WARPFORK_PACKED_ROUNDED(rz, "rz")
WARPFORK_PACKED_ROUNDED(rd, "rm") /* CUDA's down and up are PTX's .rm and .rp */
WARPFORK_PACKED_ROUNDED(ru, "rp")
#undef WARPFORK_PACKED_ROUNDED
#undef WARPFORK_BITS
#undef WARPFORK_PACKED
#endif
