/* What nvcc includes before every CUDA C++ source file, and `warpfork cc` too. */
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#if defined(__cplusplus)
#include <vector_functions.h>
#include <warpfork/runtime_templates.h>
#endif

#if defined(__CUDA__) && defined(__clang__)
#include <warpfork/device.h>
#endif

static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  struct cudaExtent extent = {width, height, depth};
  return extent;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos position = {x, y, z};
  return position;
}
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t xsize, size_t ysize) {
  struct cudaPitchedPtr pitched = {pointer, pitch, xsize, ysize};
  return pitched;
}
