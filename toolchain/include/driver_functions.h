/* make_cudaExtent() and its like. */
#pragma once
#define __DRIVER_FUNCTIONS_H__ /* NVIDIA's guard, which programs ask for */

#include <driver_types.h>

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
