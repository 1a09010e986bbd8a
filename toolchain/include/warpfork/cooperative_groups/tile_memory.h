/* What the threads of a tile of several warps wait by, and exchange values in: a barrier for each tile of each
   size, and room for a value for each warp. */
#pragma once

#include <cuda_runtime.h>

namespace cooperative_groups {

class tile_memory {
 public:
  static constexpr unsigned kBytes = 32; /* of a value */

  /* Of the block's tiles of that size, number `rank`. */
  WARPFORK_DEVICE tile_memory(unsigned size, unsigned rank)
      : barrier_(&barriers()[1024 / size + rank]), values_(&values()[rank * (size / 32) * kBytes]) {}

  WARPFORK_DEVICE void begin() { *barrier_ = 0; }
  /* Until as many warps have come as the tile has: with the last one the highest bit changes. */
  WARPFORK_DEVICE void wait_for(unsigned warps) {
    constexpr unsigned kPhase = 0x80000000u;
    __threadfence_block();
    unsigned before = atomicAdd(barrier_, 1u);
    if ((before & ~kPhase) == warps - 1)
      atomicExch(barrier_, ~before & kPhase);
    else
      while (((before ^ *static_cast<volatile unsigned*>(barrier_)) & kPhase) == 0) continue;
    __threadfence_block();
  }

  template <class T>
  WARPFORK_DEVICE void put(unsigned place, const T& value) {
    __builtin_memcpy(values_ + place * kBytes, &value, sizeof value);
  }
  template <class T>
  WARPFORK_DEVICE T get(unsigned place) const {
    T value;
    __builtin_memcpy(&value, values_ + place * kBytes, sizeof value);
    return value;
  }

 private:
  /* Of tiles of 1024 threads one, of 512 threads two, … */
  static WARPFORK_DEVICE unsigned* barriers() {
    __shared__ unsigned all[32];
    return all;
  }
  static WARPFORK_DEVICE char* values() {
    __shared__ __align__(16) char all[32 * kBytes];
    return all;
  }

  unsigned* barrier_;
  char* values_;
};

/* The memory that NVIDIA's tiles lie in before sm_80; here they have their own. */
template <unsigned Threads = 1024>
struct block_tile_memory {
  char unused;
};

}  // namespace cooperative_groups
