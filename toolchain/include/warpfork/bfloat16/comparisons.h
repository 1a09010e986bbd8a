/* `__heq` and its kin are false where one is NaN, `__hequ` and its kin true. Of pairs: `__heq2` gives 1 or 0 for each
   half, `__heq2_mask` all its bits or none, `__hbeq2` whether it holds for both. */
#pragma once

#include <warpfork/bfloat16/conversions.h>

WARPFORK_BFLOAT16 bool __hisnan(__nv_bfloat16 a) { return (a.__x & 0x7FFF) > 0x7F80; }
WARPFORK_BFLOAT16 int __hisinf(__nv_bfloat16 a) {
  return (a.__x & 0x7FFF) != 0x7F80 ? 0 : (a.__x & 0x8000) != 0 ? -1 : 1;
}

#define WARPFORK_BFLOAT16_RELATION(name, holds)                                           \
  WARPFORK_BFLOAT16 bool __h##name(__nv_bfloat16 left, __nv_bfloat16 right) {             \
    const float a = left, b = right;                                                      \
    return holds;                                                                         \
  }                                                                                       \
  WARPFORK_BFLOAT16 __nv_bfloat162 __h##name##2(__nv_bfloat162 a, __nv_bfloat162 b) {     \
    return __floats2bfloat162_rn(__h##name(a.x, b.x), __h##name(a.y, b.y));               \
  }                                                                                       \
  WARPFORK_BFLOAT16 unsigned __h##name##2_mask(__nv_bfloat162 a, __nv_bfloat162 b) {      \
    return (__h##name(a.x, b.x) ? 0xFFFFu : 0) | (__h##name(a.y, b.y) ? 0xFFFF0000u : 0); \
  }                                                                                       \
  WARPFORK_BFLOAT16 bool __hb##name##2(__nv_bfloat162 a, __nv_bfloat162 b) {              \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                    \
  }
WARPFORK_BFLOAT16_RELATION(eq, a == b)
WARPFORK_BFLOAT16_RELATION(ne, a<b || a> b)
WARPFORK_BFLOAT16_RELATION(lt, a < b)
WARPFORK_BFLOAT16_RELATION(le, a <= b)
WARPFORK_BFLOAT16_RELATION(gt, a > b)
WARPFORK_BFLOAT16_RELATION(ge, a >= b)
WARPFORK_BFLOAT16_RELATION(equ, !(a < b || a > b))
WARPFORK_BFLOAT16_RELATION(neu, a != b)
WARPFORK_BFLOAT16_RELATION(ltu, !(a >= b))
WARPFORK_BFLOAT16_RELATION(leu, !(a > b))
WARPFORK_BFLOAT16_RELATION(gtu, !(a <= b))
WARPFORK_BFLOAT16_RELATION(geu, !(a < b))
#undef WARPFORK_BFLOAT16_RELATION

WARPFORK_BFLOAT16 bool operator==(__nv_bfloat16 a, __nv_bfloat16 b) { return __heq(a, b); }
WARPFORK_BFLOAT16 bool operator!=(__nv_bfloat16 a, __nv_bfloat16 b) { return __hneu(a, b); }
WARPFORK_BFLOAT16 bool operator<(__nv_bfloat16 a, __nv_bfloat16 b) { return __hlt(a, b); }
WARPFORK_BFLOAT16 bool operator<=(__nv_bfloat16 a, __nv_bfloat16 b) { return __hle(a, b); }
WARPFORK_BFLOAT16 bool operator>(__nv_bfloat16 a, __nv_bfloat16 b) { return __hgt(a, b); }
WARPFORK_BFLOAT16 bool operator>=(__nv_bfloat16 a, __nv_bfloat16 b) { return __hge(a, b); }
WARPFORK_BFLOAT16 bool operator==(__nv_bfloat162 a, __nv_bfloat162 b) { return __hbeq2(a, b); }
WARPFORK_BFLOAT16 bool operator!=(__nv_bfloat162 a, __nv_bfloat162 b) { return __hbneu2(a, b); }

WARPFORK_BFLOAT16 __nv_bfloat162 __hisnan2(__nv_bfloat162 a) {
  return __floats2bfloat162_rn(__hisnan(a.x), __hisnan(a.y));
}

/* The other one where one is NaN, or of `_nan` NaN. Of equal ones that differ, +0 is greater than -0. */
#define WARPFORK_BFLOAT16_CHOICE(name, symbol, both)                                 \
  WARPFORK_BFLOAT16 __nv_bfloat16 name##_nan(__nv_bfloat16 a, __nv_bfloat16 b) {     \
    if (__hisnan(a) || __hisnan(b)) return __warpfork_bfloat16_of(0x7FFF);           \
    return a == b ? __warpfork_bfloat16_of(a.__x both b.__x) : a symbol b ? a : b;   \
  }                                                                                  \
  WARPFORK_BFLOAT16 __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {           \
    return name##_nan(__hisnan(a) ? b : a, __hisnan(b) ? a : b);                     \
  }                                                                                  \
  WARPFORK_BFLOAT16 __nv_bfloat162 name##2_nan(__nv_bfloat162 a, __nv_bfloat162 b) { \
    return __nv_bfloat162(name##_nan(a.x, b.x), name##_nan(a.y, b.y));               \
  }                                                                                  \
  WARPFORK_BFLOAT16 __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b) {     \
    return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y));                           \
  }
WARPFORK_BFLOAT16_CHOICE(__hmax, >, &)
WARPFORK_BFLOAT16_CHOICE(__hmin, <, |)
#undef WARPFORK_BFLOAT16_CHOICE
