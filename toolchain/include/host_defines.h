/* Function and variable attributes of CUDA C++ (CUDA C++ Programming Guide, "C++ Language Extensions"). */
#pragma once
#define __HOST_DEFINES_H__ /* NVIDIA's guard, which programs ask for */

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* clang's attribute has no third number, of blocks in a cluster; 0 is none. */
__host__ __device__ constexpr int warpfork_launch_bound(int which, int threads, int blocks = 0, int = 0) {
  return which == 0 ? threads : blocks;
}
#define __launch_bounds__(...) \
  __attribute__((              \
      launch_bounds(::warpfork_launch_bound(0, __VA_ARGS__), ::warpfork_launch_bound(1, __VA_ARGS__))))
__host__ __device__ constexpr int warpfork_blocks_of_cluster(int x = 1, int y = 1, int z = 1) {
  return x == 1 && y == 1 && z == 1 ? 1 : throw "clusters of several blocks are not supported";
}
#define __cluster_dims__(...) __attribute__((annotate("cluster", ::warpfork_blocks_of_cluster(__VA_ARGS__))))
/* clang has no attribute for it: `warpfork cc` makes .maxnreg of so many blocks (src/compiler/entry_directives.h). */
#define __maxnreg__(registers) __attribute__((launch_bounds(0, 0x1000000 + (registers))))
#define __grid_constant__ /* such a parameter is not written, so that a copy is as good */
#define __nv_pure__ __attribute__((pure))
#define __inline_hint__ /* of speed alone */
/* `warpfork cc` includes that header as soon as it is told so (src/compiler/managed_variables.h). */
#define __managed__ _Pragma("GCC error \"__managed__ variables need warpfork/managed_variables.h\"")
#elif !defined(__host__)
#define __host__
#define __device__
#endif

/* Around the functions of these headers: of what they do in device code, the line is their caller's. */
#if defined(__CUDA_ARCH__) && defined(__clang__)
#define WARPFORK_LINES_OF_CALLERS \
  _Pragma("clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))")
#define WARPFORK_LINES_OF_FUNCTIONS _Pragma("clang attribute pop")
#else
#define WARPFORK_LINES_OF_CALLERS
#define WARPFORK_LINES_OF_FUNCTIONS
#endif

#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#if defined(__CUDA__) && !defined(__noinline__) && __clang_major__ < 15 /* a keyword since */
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define CUDARTAPI
#define CUDART_CB
