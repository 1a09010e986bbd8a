/* make_int2(1, 2) and its like, for every vector type. */
#pragma once

#include <vector_types.h>

#define WARPFORK_MAKE(element, prefix)                                                                                \
  static __inline__ __host__ __device__ prefix##1 make_##prefix##1(element x) { return prefix##1 {x}; }               \
  static __inline__ __host__ __device__ prefix##2 make_##prefix##2(element x, element y) { return prefix##2 {x, y}; } \
  static __inline__ __host__ __device__ prefix##3 make_##prefix##3(element x, element y, element z) {                 \
    return prefix##3 {x, y, z};                                                                                       \
  }                                                                                                                   \
  static __inline__ __host__ __device__ prefix##4 make_##prefix##4(element x, element y, element z, element w) {      \
    return prefix##4 {x, y, z, w};                                                                                    \
  }

#if defined(__cplusplus)
WARPFORK_MAKE(signed char, char)
WARPFORK_MAKE(unsigned char, uchar)
WARPFORK_MAKE(short, short)
WARPFORK_MAKE(unsigned short, ushort)
WARPFORK_MAKE(int, int)
WARPFORK_MAKE(unsigned int, uint)
WARPFORK_MAKE(long int, long)
WARPFORK_MAKE(unsigned long int, ulong)
WARPFORK_MAKE(long long int, longlong)
WARPFORK_MAKE(unsigned long long int, ulonglong)
WARPFORK_MAKE(float, float)
WARPFORK_MAKE(double, double)
#endif
#undef WARPFORK_MAKE
