/* make_int2(1, 2) and its like, for every vector type. */
#pragma once
#define __VECTOR_FUNCTIONS_H__ /* NVIDIA's guard, which programs ask for */

#include <vector_types.h>

#define WARPFORK_MAKE(element, prefix)                                                                       \
  static __inline__ __host__ __device__ struct prefix##1 make_##prefix##1(element x) {                       \
    struct prefix##1 made = {x};                                                                             \
    return made;                                                                                             \
  }                                                                                                          \
  static __inline__ __host__ __device__ struct prefix##2 make_##prefix##2(element x, element y) {            \
    struct prefix##2 made = {x, y};                                                                          \
    return made;                                                                                             \
  }                                                                                                          \
  static __inline__ __host__ __device__ struct prefix##3 make_##prefix##3(element x, element y, element z) { \
    struct prefix##3 made = {x, y, z};                                                                       \
    return made;                                                                                             \
  }                                                                                                          \
  static __inline__ __host__ __device__ struct prefix##4 make_##prefix##4(element x, element y, element z,   \
                                                                          element w) {                       \
    struct prefix##4 made = {x, y, z, w};                                                                    \
    return made;                                                                                             \
  }

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
#undef WARPFORK_MAKE
