/* Products of bytes with bytes or with halves of words, summed; instructions from sm_61 on (CUDA Math API, "Integer
   Intrinsics"). */
#pragma once

#define WARPFORK_DOT_PRODUCT(name, instruction, type, a_vector, b_vector)     \
  static WARPFORK_DEVICE type name(type a, type b, type c) {                  \
    type sum;                                                                 \
    asm(instruction " %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c)); \
    return sum;                                                               \
  }                                                                           \
  static WARPFORK_DEVICE type name(a_vector a, b_vector b, type c) {          \
    type a_word, b_word;                                                      \
    __builtin_memcpy(&a_word, &a, sizeof a_word);                             \
    __builtin_memcpy(&b_word, &b, sizeof b_word);                             \
    return name(a_word, b_word, c);                                           \
  }
WARPFORK_DOT_PRODUCT(__dp4a, "dp4a.s32.s32", int, char4, char4)
WARPFORK_DOT_PRODUCT(__dp4a, "dp4a.u32.u32", unsigned, uchar4, uchar4)
WARPFORK_DOT_PRODUCT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, char4)
WARPFORK_DOT_PRODUCT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, ushort2, uchar4)
WARPFORK_DOT_PRODUCT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, char4)
WARPFORK_DOT_PRODUCT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, ushort2, uchar4)
#undef WARPFORK_DOT_PRODUCT
