/* Reductions over the lanes of a warp, instructions from sm_80 on (CUDA C++ Programming Guide, "Warp Reduce
   Functions"). */
#pragma once

#define WARPFORK_REDUCE(operation, type, suffix)                                       \
  static WARPFORK_DEVICE type __reduce_##operation##_sync(unsigned mask, type value) { \
    type result;                                                                       \
    asm volatile("redux.sync." #operation "." #suffix " %0, %1, %2;"                   \
                 : "=r"(result)                                                        \
                 : "r"(value), "r"(mask)                                               \
                 : "memory");                                                          \
    return result;                                                                     \
  }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
WARPFORK_REDUCE(add, int, s32)
WARPFORK_REDUCE(add, unsigned, u32)
WARPFORK_REDUCE(min, int, s32)
WARPFORK_REDUCE(min, unsigned, u32)
WARPFORK_REDUCE(max, int, s32)
WARPFORK_REDUCE(max, unsigned, u32)
WARPFORK_REDUCE(and, unsigned, b32)
WARPFORK_REDUCE(or, unsigned, b32)
WARPFORK_REDUCE(xor, unsigned, b32)
#endif
#undef WARPFORK_REDUCE
