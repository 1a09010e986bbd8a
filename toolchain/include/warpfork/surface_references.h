/* CUDA 11's surfaces as variables of a file, which CUDA 12 has no more (CUDA C++ Programming Guide 11, "Surface
   Reference API"): the variable, what binds an array to it, and its reads and writes. */
#pragma once

#include <warpfork/surfaces.h>

template <class Texel, int kind = cudaSurfaceType1D>
struct surface; /* of nothing but bytes */
template <int kind>
struct __attribute__((device_builtin_surface_type)) surface<void, kind> : surfaceReference {
  __host__ surface() : surfaceReference() {}
};

template <int kind>
static inline cudaError_t cudaBindSurfaceToArray(const surface<void, kind>& to, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc& format) {
  return ::cudaBindSurfaceToArray(&to, array, &format);
}
template <int kind>
static inline cudaError_t cudaBindSurfaceToArray(const surface<void, kind>& to, cudaArray_const_t array) {
  cudaChannelFormatDesc format;
  const cudaError_t error = ::cudaGetChannelDesc(&format, array);
  return error == cudaSuccess ? ::cudaBindSurfaceToArray(&to, array, &format) : error;
}

#define WARPFORK_SURFACE_FUNCTIONS(surf, kind, geometry, place, parameters, arguments, inputs)                      \
  template <class Texel>                                                                                            \
  static WARPFORK_DEVICE Texel surf##read(surface<void, cudaSurfaceType##kind> reference, WARPFORK_LIST parameters, \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                    \
    return surf##read<Texel>(warpfork_handle(reference), WARPFORK_LIST arguments, mode);                            \
  }                                                                                                                 \
  template <class Texel>                                                                                            \
  static WARPFORK_DEVICE void surf##read(Texel* result, surface<void, cudaSurfaceType##kind> reference,             \
                                         WARPFORK_LIST parameters,                                                  \
                                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                     \
    *result = surf##read<Texel>(warpfork_handle(reference), WARPFORK_LIST arguments, mode);                         \
  }                                                                                                                 \
  template <class Texel>                                                                                            \
  static WARPFORK_DEVICE void surf##write(Texel value, surface<void, cudaSurfaceType##kind> reference,              \
                                          WARPFORK_LIST parameters,                                                 \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                    \
    surf##write(value, warpfork_handle(reference), WARPFORK_LIST arguments, mode);                                  \
  }
#include <warpfork/surface_functions.def>
#undef WARPFORK_SURFACE_FUNCTIONS
