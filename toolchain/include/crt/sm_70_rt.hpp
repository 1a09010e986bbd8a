/* Warp-wide comparisons (CUDA C++ Programming Guide, "Warp Match Functions") and __nanosleep; clang's header of
   intrinsics includes this file by name. */
#pragma once

#define WARPFORK_MATCH(type, bits, cast)                                             \
  __device__ inline unsigned __match_any_sync(unsigned mask, type value) {           \
    return (unsigned)__match##bits##_any_sync(mask, cast(value));                    \
  }                                                                                  \
  __device__ inline unsigned __match_all_sync(unsigned mask, type value, int* all) { \
    return (unsigned)__match##bits##_all_sync(mask, cast(value), all);               \
  }
WARPFORK_MATCH(int, 32, (unsigned))
WARPFORK_MATCH(unsigned, 32, (unsigned))
WARPFORK_MATCH(float, 32, (unsigned)__nvvm_bitcast_f2i)
WARPFORK_MATCH(long, 64, (unsigned long long))
WARPFORK_MATCH(unsigned long, 64, (unsigned long long))
WARPFORK_MATCH(long long, 64, (unsigned long long))
WARPFORK_MATCH(unsigned long long, 64, (unsigned long long))
WARPFORK_MATCH(double, 64, (unsigned long long)__nvvm_bitcast_d2ll)
#undef WARPFORK_MATCH

__device__ inline void __nanosleep(unsigned nanoseconds) { asm volatile("nanosleep.u32 %0;" : : "r"(nanoseconds)); }
