/* atomicAdd and its family (CUDA C++ Programming Guide, "Atomic Functions"), over clang's wrappers of the PTX
   instructions. */
#pragma once

#define WARPFORK_ATOMIC __device__ inline __attribute__((always_inline))

/* atomicX, atomicX_block and atomicX_system differ only in scope. */
#define WARPFORK_ATOMICS(scope)                                                                                 \
  WARPFORK_ATOMIC int atomicAdd##scope(int* p, int v) { return __iAtomicAdd##scope(p, v); }                     \
  WARPFORK_ATOMIC unsigned atomicAdd##scope(unsigned* p, unsigned v) { return __uAtomicAdd##scope(p, v); }      \
  WARPFORK_ATOMIC unsigned long long atomicAdd##scope(unsigned long long* p, unsigned long long v) {            \
    return __ullAtomicAdd##scope(p, v);                                                                         \
  }                                                                                                             \
  WARPFORK_ATOMIC float atomicAdd##scope(float* p, float v) { return __fAtomicAdd##scope(p, v); }               \
  WARPFORK_ATOMIC int atomicSub##scope(int* p, int v) { return __iAtomicAdd##scope(p, 0u - v); }                \
  WARPFORK_ATOMIC unsigned atomicSub##scope(unsigned* p, unsigned v) { return __uAtomicAdd##scope(p, 0u - v); } \
  WARPFORK_ATOMIC int atomicExch##scope(int* p, int v) { return __iAtomicExch##scope(p, v); }                   \
  WARPFORK_ATOMIC unsigned atomicExch##scope(unsigned* p, unsigned v) { return __uAtomicExch##scope(p, v); }    \
  WARPFORK_ATOMIC unsigned long long atomicExch##scope(unsigned long long* p, unsigned long long v) {           \
    return __ullAtomicExch##scope(p, v);                                                                        \
  }                                                                                                             \
  WARPFORK_ATOMIC float atomicExch##scope(float* p, float v) { return __fAtomicExch##scope(p, v); }             \
  WARPFORK_ATOMIC int atomicMin##scope(int* p, int v) { return __iAtomicMin##scope(p, v); }                     \
  WARPFORK_ATOMIC unsigned atomicMin##scope(unsigned* p, unsigned v) { return __uAtomicMin##scope(p, v); }      \
  WARPFORK_ATOMIC long long atomicMin##scope(long long* p, long long v) { return __illAtomicMin##scope(p, v); } \
  WARPFORK_ATOMIC unsigned long long atomicMin##scope(unsigned long long* p, unsigned long long v) {            \
    return __ullAtomicMin##scope(p, v);                                                                         \
  }                                                                                                             \
  WARPFORK_ATOMIC int atomicMax##scope(int* p, int v) { return __iAtomicMax##scope(p, v); }                     \
  WARPFORK_ATOMIC unsigned atomicMax##scope(unsigned* p, unsigned v) { return __uAtomicMax##scope(p, v); }      \
  WARPFORK_ATOMIC long long atomicMax##scope(long long* p, long long v) { return __illAtomicMax##scope(p, v); } \
  WARPFORK_ATOMIC unsigned long long atomicMax##scope(unsigned long long* p, unsigned long long v) {            \
    return __ullAtomicMax##scope(p, v);                                                                         \
  }                                                                                                             \
  WARPFORK_ATOMIC unsigned atomicInc##scope(unsigned* p, unsigned v) { return __uAtomicInc##scope(p, v); }      \
  WARPFORK_ATOMIC unsigned atomicDec##scope(unsigned* p, unsigned v) { return __uAtomicDec##scope(p, v); }      \
  WARPFORK_ATOMIC int atomicCAS##scope(int* p, int c, int v) { return __iAtomicCAS##scope(p, c, v); }           \
  WARPFORK_ATOMIC unsigned atomicCAS##scope(unsigned* p, unsigned c, unsigned v) {                              \
    return __uAtomicCAS##scope(p, c, v);                                                                        \
  }                                                                                                             \
  WARPFORK_ATOMIC unsigned long long atomicCAS##scope(unsigned long long* p, unsigned long long c,              \
                                                      unsigned long long v) {                                   \
    return __ullAtomicCAS##scope(p, c, v);                                                                      \
  }                                                                                                             \
  WARPFORK_ATOMIC int atomicAnd##scope(int* p, int v) { return __iAtomicAnd##scope(p, v); }                     \
  WARPFORK_ATOMIC unsigned atomicAnd##scope(unsigned* p, unsigned v) { return __uAtomicAnd##scope(p, v); }      \
  WARPFORK_ATOMIC unsigned long long atomicAnd##scope(unsigned long long* p, unsigned long long v) {            \
    return __ullAtomicAnd##scope(p, v);                                                                         \
  }                                                                                                             \
  WARPFORK_ATOMIC int atomicOr##scope(int* p, int v) { return __iAtomicOr##scope(p, v); }                       \
  WARPFORK_ATOMIC unsigned atomicOr##scope(unsigned* p, unsigned v) { return __uAtomicOr##scope(p, v); }        \
  WARPFORK_ATOMIC unsigned long long atomicOr##scope(unsigned long long* p, unsigned long long v) {             \
    return __ullAtomicOr##scope(p, v);                                                                          \
  }                                                                                                             \
  WARPFORK_ATOMIC int atomicXor##scope(int* p, int v) { return __iAtomicXor##scope(p, v); }                     \
  WARPFORK_ATOMIC unsigned atomicXor##scope(unsigned* p, unsigned v) { return __uAtomicXor##scope(p, v); }      \
  WARPFORK_ATOMIC unsigned long long atomicXor##scope(unsigned long long* p, unsigned long long v) {            \
    return __ullAtomicXor##scope(p, v);                                                                         \
  }
WARPFORK_ATOMICS()
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
/* Of these clang's compare as if there were a sign. */
#define WARPFORK_ATOMIC_UNSIGNED(name, type, instruction, letter)                                        \
  WARPFORK_ATOMIC type warpfork_##name(type* p, type v) {                                                \
    type old;                                                                                            \
    asm volatile("atom." instruction " %0, [%1], %2;" : "=" letter(old) : "l"(p), letter(v) : "memory"); \
    return old;                                                                                          \
  }
WARPFORK_ATOMIC_UNSIGNED(uAtomicMin_block, unsigned, "cta.min.u32", "r")
WARPFORK_ATOMIC_UNSIGNED(uAtomicMax_block, unsigned, "cta.max.u32", "r")
WARPFORK_ATOMIC_UNSIGNED(uAtomicMin_system, unsigned, "sys.min.u32", "r")
WARPFORK_ATOMIC_UNSIGNED(uAtomicMax_system, unsigned, "sys.max.u32", "r")
WARPFORK_ATOMIC_UNSIGNED(ullAtomicMin_block, unsigned long long, "cta.min.u64", "l")
WARPFORK_ATOMIC_UNSIGNED(ullAtomicMax_block, unsigned long long, "cta.max.u64", "l")
WARPFORK_ATOMIC_UNSIGNED(ullAtomicMin_system, unsigned long long, "sys.min.u64", "l")
WARPFORK_ATOMIC_UNSIGNED(ullAtomicMax_system, unsigned long long, "sys.max.u64", "l")
#undef WARPFORK_ATOMIC_UNSIGNED
#define __uAtomicMin_block warpfork_uAtomicMin_block
#define __uAtomicMax_block warpfork_uAtomicMax_block
#define __uAtomicMin_system warpfork_uAtomicMin_system
#define __uAtomicMax_system warpfork_uAtomicMax_system
#define __ullAtomicMin_block warpfork_ullAtomicMin_block
#define __ullAtomicMax_block warpfork_ullAtomicMax_block
#define __ullAtomicMin_system warpfork_ullAtomicMin_system
#define __ullAtomicMax_system warpfork_ullAtomicMax_system
WARPFORK_ATOMICS(_block)
WARPFORK_ATOMICS(_system)
#undef __uAtomicMin_block
#undef __uAtomicMax_block
#undef __uAtomicMin_system
#undef __uAtomicMax_system
#undef __ullAtomicMin_block
#undef __ullAtomicMax_block
#undef __ullAtomicMin_system
#undef __ullAtomicMax_system
WARPFORK_ATOMIC double atomicAdd(double* p, double v) { return __dAtomicAdd(p, v); }
WARPFORK_ATOMIC double atomicAdd_block(double* p, double v) { return __dAtomicAdd_block(p, v); }
WARPFORK_ATOMIC double atomicAdd_system(double* p, double v) { return __dAtomicAdd_system(p, v); }
#endif
#undef WARPFORK_ATOMICS

/* Of 16 bits, an instruction from sm_70 on. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define WARPFORK_ATOMIC_CAS_16(name, scope)                                                                  \
  WARPFORK_ATOMIC unsigned short name(unsigned short* p, unsigned short c, unsigned short v) {               \
    unsigned short old;                                                                                      \
    asm volatile("atom" scope ".cas.b16 %0, [%1], %2, %3;" : "=h"(old) : "l"(p), "h"(c), "h"(v) : "memory"); \
    return old;                                                                                              \
  }
WARPFORK_ATOMIC_CAS_16(atomicCAS, "")
WARPFORK_ATOMIC_CAS_16(atomicCAS_block, ".cta")
WARPFORK_ATOMIC_CAS_16(atomicCAS_system, ".sys")
#undef WARPFORK_ATOMIC_CAS_16
#endif

/* Of global memory alone; each number is an atomic addition of its own. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define WARPFORK_ATOMIC_ADD_VECTOR(name, scope)                                                       \
  WARPFORK_ATOMIC float2 name(float2* p, float2 v) {                                                  \
    float2 old;                                                                                       \
    asm volatile("atom" scope ".global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"                          \
                 : "=f"(old.x), "=f"(old.y)                                                           \
                 : "l"(__cvta_generic_to_global(p)), "f"(v.x), "f"(v.y)                               \
                 : "memory");                                                                         \
    return old;                                                                                       \
  }                                                                                                   \
  WARPFORK_ATOMIC float4 name(float4* p, float4 v) {                                                  \
    float4 old;                                                                                       \
    asm volatile("atom" scope ".global.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"          \
                 : "=f"(old.x), "=f"(old.y), "=f"(old.z), "=f"(old.w)                                 \
                 : "l"(__cvta_generic_to_global(p)), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)           \
                 : "memory");                                                                         \
    return old;                                                                                       \
  }
WARPFORK_ATOMIC_ADD_VECTOR(atomicAdd, "")
WARPFORK_ATOMIC_ADD_VECTOR(atomicAdd_block, ".cta")
WARPFORK_ATOMIC_ADD_VECTOR(atomicAdd_system, ".sys")
#undef WARPFORK_ATOMIC_ADD_VECTOR
#endif
