/* The device side of CUDA C++ for clang without NVIDIA's SDK: built-in variables, intrinsics, mathematics, atomics.
   clang's own CUDA headers do most of it; here they are put in the order that they need, on top of warpfork's
   replacement for NVIDIA's libdevice. */
#pragma once

#define __CUDACC_VER_MAJOR__ 12 /* the compiler that programs should take us for */
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 140
#define __NVCC_DIAG_PRAGMA_SUPPORT__ 1 /* clang passes over the pragmas */
#define __DEVICE_FUNCTIONS_H__         /* NVIDIA's guards */
#define __MATH_FUNCTIONS_H__
#define __CUDACC__ 1 /* libstdc++ looks at it and leaves __float128 out */
/* what clang's new and delete of kernels call, which <cmath> brings in C++20 */
extern "C" {
__device__ void free(void*) __attribute__((nothrow));
__device__ void* malloc(size_t) __attribute__((nothrow)) __attribute__((malloc));
}
/* each needs the ones before it */
// clang-format off
#include <__clang_cuda_math_forward_declares.h>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

#include <warpfork/builtin_variables.h>
#include <warpfork/libdevice.h>
#include <warpfork/synchronisation.h>

#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
// Clang's make a number of NaN, of infinity and of zero where the exponent is no int.
#define scalbln __warpfork_clang_scalbln
#define scalblnf __warpfork_clang_scalblnf
#include <__clang_cuda_math.h>
#undef scalbln
#undef scalblnf
// clang-format on

/* In which memory a generic address lies, and its address there (CUDA C++ Programming Guide, "Address Space Predicate
   Functions" and "Address Space Conversion Functions"). */
#define WARPFORK_ADDRESS_SPACE(name, title, nvvm, number)                                            \
  static __device__ inline unsigned __is##title(const void* p) { return __nvvm_isspacep_##nvvm(p); } \
  static __device__ inline size_t __cvta_generic_to_##name(const void* p) {                          \
    return (size_t)(__attribute__((address_space(number))) const void*)p;                            \
  }                                                                                                  \
  static __device__ inline void* __cvta_##name##_to_generic(size_t p) {                              \
    return (void*)(__attribute__((address_space(number))) void*)p;                                   \
  }
WARPFORK_ADDRESS_SPACE(global, Global, global, 1)
WARPFORK_ADDRESS_SPACE(shared, Shared, shared, 3)
WARPFORK_ADDRESS_SPACE(constant, Constant, const, 4)
WARPFORK_ADDRESS_SPACE(local, Local, local, 5)
#undef WARPFORK_ADDRESS_SPACE
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900 /* of a cluster that is one block */
static __device__ inline unsigned __isCtaShared(const void* p) { return __isShared(p); }
static __device__ inline unsigned __isClusterShared(const void* p) { return __isShared(p); }
#endif

#include <warpfork/atomics.h>
#include <warpfork/cache_operators.h>
#include <warpfork/dot_products.h>
#include <warpfork/further_intrinsics.h>
#include <warpfork/host_mathematics.h>
#include <warpfork/math_overloads.h>
#include <warpfork/min_max.h>
#include <warpfork/packed_extremes.h>
#include <warpfork/packed_floats.h>

extern "C" {
__device__ int vprintf(const char*, const char*);
__device__ void __assertfail(const char* message, const char* file, unsigned line, const char* function,
                             size_t character_bytes);
__device__ static inline void __assert_fail(const char* message, const char* file, unsigned line,
                                            const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
__device__ int printf(const char*, ...);
}
#include <new>  // with it clang's new and delete of kernels

// clang-format off
#include <__clang_cuda_cmath.h>
// Clang 18 and later have reductions, too, but none that adds signed values, clang 22 has some loads and stores for caches, and
// clang 14's shuffles call themselves: ours have the names.
#define __ldcg __warpfork_clang_ldcg
#define __ldcs __warpfork_clang_ldcs
#define __ldcv __warpfork_clang_ldcv
#define __stwt __warpfork_clang_stwt
#define __reduce_add_sync __warpfork_clang_reduce_add_sync
#define __reduce_min_sync __warpfork_clang_reduce_min_sync
#define __reduce_max_sync __warpfork_clang_reduce_max_sync
#define __reduce_and_sync __warpfork_clang_reduce_and_sync
#define __reduce_or_sync __warpfork_clang_reduce_or_sync
#define __reduce_xor_sync __warpfork_clang_reduce_xor_sync
#define __shfl __warpfork_clang_shfl
#define __shfl_up __warpfork_clang_shfl_up
#define __shfl_down __warpfork_clang_shfl_down
#define __shfl_xor __warpfork_clang_shfl_xor
#define __shfl_sync __warpfork_clang_shfl_sync
#define __shfl_up_sync __warpfork_clang_shfl_up_sync
#define __shfl_down_sync __warpfork_clang_shfl_down_sync
#define __shfl_xor_sync __warpfork_clang_shfl_xor_sync
#define atomicAdd __warpfork_clang_atomicAdd /* clang 19's is left out where nobody asks for the result */
#define atomicAdd_block __warpfork_clang_atomicAdd_block
#define atomicAdd_system __warpfork_clang_atomicAdd_system
#define __isCtaShared __warpfork_clang_isCtaShared
#define __isClusterShared __warpfork_clang_isClusterShared
#include <__clang_cuda_intrinsics.h>
#undef __isCtaShared
#undef __isClusterShared
#undef atomicAdd
#undef atomicAdd_block
#undef atomicAdd_system
#undef __ldcg
#undef __ldcs
#undef __ldcv
#undef __stwt
#undef __reduce_add_sync
#undef __reduce_min_sync
#undef __reduce_max_sync
#undef __reduce_and_sync
#undef __reduce_or_sync
#undef __reduce_xor_sync
#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor
#undef __shfl_sync
#undef __shfl_up_sync
#undef __shfl_down_sync
#undef __shfl_xor_sync
#include <__clang_cuda_complex_builtins.h>
// clang-format on
#include <warpfork/shuffles.h>
#include <warpfork/surface_references.h>
#include <warpfork/texture_references.h>
#include <warpfork/warp_reductions.h>

extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, void* stream = 0);
