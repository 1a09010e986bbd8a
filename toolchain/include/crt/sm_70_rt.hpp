/* Warp-wide comparisons (CUDA C++ Programming Guide, "Warp Match Functions") and __nanosleep; clang's header of
   intrinsics includes this file by name. Of 64-bit values clang 14's builtins write masks of 64 bits, which PTX does
   not have. */
#pragma once

#define WARPFORK_MATCH_BITS(bits, type, letter)                                                                \
  static WARPFORK_DEVICE unsigned warpfork_match_any_##bits(unsigned mask, type value) {                       \
    unsigned equal;                                                                                            \
    asm volatile("match.any.sync.b" #bits " %0, %1, %2;" : "=r"(equal) : letter(value), "r"(mask) : "memory"); \
    return equal;                                                                                              \
  }                                                                                                            \
  static WARPFORK_DEVICE unsigned warpfork_match_all_##bits(unsigned mask, type value, int* all) {             \
    unsigned equal;                                                                                            \
    asm volatile("{.reg .pred p;\n\tmatch.all.sync.b" #bits " %0|p, %2, %3;\n\tselp.s32 %1, 1, 0, p;}"         \
                 : "=r"(equal), "=r"(*all)                                                                     \
                 : letter(value), "r"(mask)                                                                    \
                 : "memory");                                                                                  \
    return equal;                                                                                              \
  }
WARPFORK_MATCH_BITS(32, unsigned, "r")
WARPFORK_MATCH_BITS(64, unsigned long long, "l")
#undef WARPFORK_MATCH_BITS

#define WARPFORK_MATCH(type, bits, as)                                                    \
  static WARPFORK_DEVICE unsigned __match_any_sync(unsigned mask, type value) {           \
    return warpfork_match_any_##bits(mask, __builtin_bit_cast(as, value));                \
  }                                                                                       \
  static WARPFORK_DEVICE unsigned __match_all_sync(unsigned mask, type value, int* all) { \
    return warpfork_match_all_##bits(mask, __builtin_bit_cast(as, value), all);           \
  }
WARPFORK_MATCH(int, 32, unsigned)
WARPFORK_MATCH(unsigned, 32, unsigned)
WARPFORK_MATCH(float, 32, unsigned)
WARPFORK_MATCH(long, 64, unsigned long long)
WARPFORK_MATCH(unsigned long, 64, unsigned long long)
WARPFORK_MATCH(long long, 64, unsigned long long)
WARPFORK_MATCH(unsigned long long, 64, unsigned long long)
WARPFORK_MATCH(double, 64, unsigned long long)
#undef WARPFORK_MATCH

__device__ inline void __nanosleep(unsigned nanoseconds) { asm volatile("nanosleep.u32 %0;" : : "r"(nanoseconds)); }
