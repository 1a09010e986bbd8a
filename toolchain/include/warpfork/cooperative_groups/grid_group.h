/* All threads of the launch. They have numbers; they cannot wait for one another, since there are no cooperative
   launches here. */
#pragma once

#include <warpfork/cooperative_groups/thread_group.h>

namespace cooperative_groups {

class grid_group {
 public:
  static WARPFORK_DEVICE bool is_valid() { return false; } /* as in every launch that is not cooperative */
  template <bool Supported = false>
  static WARPFORK_DEVICE void sync() {
    static_assert(Supported, "warpfork has no cooperative launches: a grid_group cannot sync()");
  }

  static WARPFORK_DEVICE dim3 dim_blocks() { return gridDim; }
  static WARPFORK_DEVICE dim3 group_dim() { return gridDim; }
  static WARPFORK_DEVICE dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }
  static WARPFORK_DEVICE dim3 block_index() { return blockIdx; }
  static WARPFORK_DEVICE unsigned long long num_blocks() { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
  static WARPFORK_DEVICE unsigned long long block_rank() {
    return (1ull * blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static WARPFORK_DEVICE unsigned long long size() { return num_blocks() * (blockDim.x * blockDim.y * blockDim.z); }
  static WARPFORK_DEVICE unsigned long long num_threads() { return size(); }
  static WARPFORK_DEVICE unsigned long long thread_rank() {
    return block_rank() * (blockDim.x * blockDim.y * blockDim.z) +
           (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }

 private:
  friend __device__ grid_group this_grid();
  WARPFORK_DEVICE grid_group() {}
};

WARPFORK_DEVICE grid_group this_grid() { return grid_group(); }

}  // namespace cooperative_groups
