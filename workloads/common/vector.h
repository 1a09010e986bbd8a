// Vectors of three floats.
//
// Every operation uses fmaf wherever a product meets a sum, so that no compiler can contract anything further and host
// and device round alike.
#pragma once

#include "check.h"

struct Vec {
  float x, y, z;
};

__host__ __device__ inline Vec plus(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__host__ __device__ inline Vec minus(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__host__ __device__ inline Vec scaled(Vec a, float s) { return {a.x * s, a.y * s, a.z * s}; }
__host__ __device__ inline float dot(Vec a, Vec b) { return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z)); }
__host__ __device__ inline Vec smallest(Vec a, Vec b) { return {fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)}; }
__host__ __device__ inline Vec largest(Vec a, Vec b) { return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)}; }

// origin + distance * direction
__host__ __device__ inline Vec along(Vec origin, float distance, Vec direction) {
  return {fmaf(distance, direction.x, origin.x), fmaf(distance, direction.y, origin.y),
          fmaf(distance, direction.z, origin.z)};
}

__host__ __device__ inline Vec cross(Vec a, Vec b) {
  return {fmaf(a.y, b.z, -(a.z * b.y)), fmaf(a.z, b.x, -(a.x * b.z)), fmaf(a.x, b.y, -(a.y * b.x))};
}

__host__ __device__ inline Vec normalized(Vec a) { return scaled(a, 1.0f / sqrtf(dot(a, a))); }

__host__ __device__ inline Vec reflected(Vec direction, Vec normal) {
  return along(direction, -2.0f * dot(direction, normal), normal);
}
