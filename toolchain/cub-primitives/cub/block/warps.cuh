/* The warps of a block whose size the compiler knows, and room in shared memory for what they tell each other. */
#pragma once

#include <cub/warp/lanes.cuh>

WARPFORK_LINES_OF_CALLERS
namespace cub {

template <int X, int Y, int Z>
struct warpfork_warps {
  static constexpr unsigned kThreads = X * Y * Z, kCount = (kThreads + 31) / 32;

  static WARPFORK_DEVICE unsigned thread() {
    return (Z == 1 ? 0 : threadIdx.z * (X * Y)) + (Y == 1 ? 0 : threadIdx.y * X) + threadIdx.x;
  }
  static WARPFORK_DEVICE unsigned warp() { return thread() / 32; }
  static WARPFORK_DEVICE unsigned lane() { return thread() % 32; }
  /* The lanes of the thread's warp that there are. */
  static WARPFORK_DEVICE unsigned lanes() {
    return kThreads % 32 != 0 && warp() == kCount - 1 ? (1u << kThreads % 32) - 1 : ~0u;
  }
};

/* Bytes: shared memory has no constructors. */
template <class T, unsigned count>
struct warpfork_room {
  alignas(alignof(T)) char bytes[sizeof(T) * count];

  WARPFORK_DEVICE T* values() { return reinterpret_cast<T*>(bytes); }
};

}  // namespace cub
WARPFORK_LINES_OF_FUNCTIONS
