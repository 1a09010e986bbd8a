/* `__heq` and its kin are false where one is NaN, `__hequ` and its kin true. Of pairs: `__heq2` gives 1 or 0 for each
   half, `__heq2_mask` all bits
   or none, `__hbeq2` whether it holds for both. */
#pragma once

#include <warpfork/half/conversions.h>

#if defined(__CUDA_ARCH__)
#define WARPFORK_HALF_RELATION(name, relation, symbol, of_nan)                     \
  WARPFORK_HALF bool name(__half a, __half b) {                                    \
    unsigned short holds;                                                          \
    asm("{ .reg .pred p; setp." relation ".f16 p, %1, %2; selp.u16 %0, 1, 0, p; }" \
        : "=h"(holds)                                                              \
        : "h"(a.__x), "h"(b.__x));                                                 \
    return holds != 0;                                                             \
  }
#else
#define WARPFORK_HALF_RELATION(name, relation, symbol, of_nan) \
  WARPFORK_HALF bool name(__half a, __half b) {                \
    const float left = a, right = b;                           \
    const bool is_nan = left != left || right != right;        \
    return is_nan ? of_nan : left symbol right;                \
  }
#endif
#define WARPFORK_HALF_COMPARISON(name, relation, symbol)                                                        \
  WARPFORK_HALF_RELATION(__h##name, relation, symbol, false)                                                    \
  WARPFORK_HALF_RELATION(__h##name##u, relation "u", symbol, true)                                              \
  WARPFORK_HALF __half2 __h##name##2(__half2 a, __half2 b) {                                                    \
    return __floats2half2_rn(__h##name(a.x, b.x), __h##name(a.y, b.y));                                         \
  }                                                                                                             \
  WARPFORK_HALF __half2 __h##name##u2(__half2 a, __half2 b) {                                                   \
    return __floats2half2_rn(__h##name##u(a.x, b.x), __h##name##u(a.y, b.y));                                   \
  }                                                                                                             \
  WARPFORK_HALF unsigned __h##name##2_mask(__half2 a, __half2 b) {                                              \
    return (__h##name(a.x, b.x) ? 0xFFFFu : 0) | (__h##name(a.y, b.y) ? 0xFFFF0000u : 0);                       \
  }                                                                                                             \
  WARPFORK_HALF unsigned __h##name##u2_mask(__half2 a, __half2 b) {                                             \
    return (__h##name##u(a.x, b.x) ? 0xFFFFu : 0) | (__h##name##u(a.y, b.y) ? 0xFFFF0000u : 0);                 \
  }                                                                                                             \
  WARPFORK_HALF bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
  WARPFORK_HALF bool __hb##name##u2(__half2 a, __half2 b) { return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y); }
WARPFORK_HALF_COMPARISON(eq, "eq", ==)
WARPFORK_HALF_COMPARISON(ne, "ne", !=)
WARPFORK_HALF_COMPARISON(lt, "lt", <)
WARPFORK_HALF_COMPARISON(le, "le", <=)
WARPFORK_HALF_COMPARISON(gt, "gt", >)
WARPFORK_HALF_COMPARISON(ge, "ge", >=)
#undef WARPFORK_HALF_COMPARISON
#undef WARPFORK_HALF_RELATION

WARPFORK_HALF bool operator==(__half a, __half b) { return __heq(a, b); }
WARPFORK_HALF bool operator!=(__half a, __half b) { return __hneu(a, b); }
WARPFORK_HALF bool operator<(__half a, __half b) { return __hlt(a, b); }
WARPFORK_HALF bool operator<=(__half a, __half b) { return __hle(a, b); }
WARPFORK_HALF bool operator>(__half a, __half b) { return __hgt(a, b); }
WARPFORK_HALF bool operator>=(__half a, __half b) { return __hge(a, b); }
WARPFORK_HALF bool operator==(__half2 a, __half2 b) { return __hbeq2(a, b); }
WARPFORK_HALF bool operator!=(__half2 a, __half2 b) { return __hbneu2(a, b); }

WARPFORK_HALF bool __hisnan(__half a) { return (a.__x & 0x7FFF) > 0x7C00; }
WARPFORK_HALF int __hisinf(__half a) { return (a.__x & 0x7FFF) != 0x7C00 ? 0 : (a.__x & 0x8000) != 0 ? -1 : 1; }
WARPFORK_HALF __half2 __hisnan2(__half2 a) { return __floats2half2_rn(__hisnan(a.x), __hisnan(a.y)); }

/* The other one where one is NaN. */
WARPFORK_HALF __half __hmax(__half a, __half b) { return __half(fmaxf(a, b)); }
WARPFORK_HALF __half __hmin(__half a, __half b) { return __half(fminf(a, b)); }
WARPFORK_HALF __half2 __hmax2(__half2 a, __half2 b) { return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
WARPFORK_HALF __half2 __hmin2(__half2 a, __half2 b) { return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
/* NaN where one is. */
WARPFORK_HALF __half __hmax_nan(__half a, __half b) {
  return __hisnan(a) || __hisnan(b) ? __warpfork_half_of(0x7FFF) : __hmax(a, b);
}
WARPFORK_HALF __half __hmin_nan(__half a, __half b) {
  return __hisnan(a) || __hisnan(b) ? __warpfork_half_of(0x7FFF) : __hmin(a, b);
}
WARPFORK_HALF __half2 __hmax2_nan(__half2 a, __half2 b) { return __half2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)); }
WARPFORK_HALF __half2 __hmin2_nan(__half2 a, __half2 b) { return __half2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)); }
