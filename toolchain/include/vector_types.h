/* Vector types of CUDA C++: char1 ... double4, dim3 (CUDA C++ Programming Guide, "Built-in Vector Types").
   Sizes and alignments are the programming guide's table; three-element vectors keep their element's alignment. */
#pragma once
#define __VECTOR_TYPES_H__ /* NVIDIA's guard, which programs ask for */

#include <host_defines.h>

#define WARPFORK_VECTOR(element, prefix, align1, align2, align4) \
  struct __align__(align1) prefix##1 {                           \
    element x;                                                   \
  };                                                             \
  struct __align__(align2) prefix##2 {                           \
    element x, y;                                                \
  };                                                             \
  struct prefix##3 {                                             \
    element x, y, z;                                             \
  };                                                             \
  struct __align__(align4) prefix##4 {                           \
    element x, y, z, w;                                          \
  };                                                             \
  typedef struct prefix##1 prefix##1;                            \
  typedef struct prefix##2 prefix##2;                            \
  typedef struct prefix##3 prefix##3;                            \
  typedef struct prefix##4 prefix##4;

WARPFORK_VECTOR(signed char, char, 1, 2, 4)
WARPFORK_VECTOR(unsigned char, uchar, 1, 2, 4)
WARPFORK_VECTOR(short, short, 2, 4, 8)
WARPFORK_VECTOR(unsigned short, ushort, 2, 4, 8)
WARPFORK_VECTOR(int, int, 4, 8, 16)
WARPFORK_VECTOR(unsigned int, uint, 4, 8, 16)
WARPFORK_VECTOR(long int, long, 8, 16, 16)
WARPFORK_VECTOR(unsigned long int, ulong, 8, 16, 16)
WARPFORK_VECTOR(long long int, longlong, 8, 16, 16)
WARPFORK_VECTOR(unsigned long long int, ulonglong, 8, 16, 16)
WARPFORK_VECTOR(float, float, 4, 8, 16)
WARPFORK_VECTOR(double, double, 8, 16, 16)
#undef WARPFORK_VECTOR

struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;
