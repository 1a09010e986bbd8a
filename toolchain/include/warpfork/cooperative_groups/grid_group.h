/* All threads of the launch. They can wait for one another where it is cooperative. */
#pragma once

#include <warpfork/cooperative_groups/thread_group.h>

namespace cooperative_groups {

class grid_group {
 public:
  /* Whether the launch is cooperative. */
  static WARPFORK_DEVICE bool is_valid() { return workspace() != 0; }
  static WARPFORK_DEVICE void sync() {
    if (!is_valid()) __trap();
    __syncthreads();
    if (is_first_of_block()) {
      unsigned* const place = barrier();
      await(place, come(place));
    }
    __syncthreads();
  }
  /* The same in two steps, between which a thread may do what the others need not wait for. */
  using arrival_token = unsigned;
  static WARPFORK_DEVICE arrival_token barrier_arrive() {
    if (!is_valid()) __trap();
    __syncthreads();
    return is_first_of_block() ? come(barrier()) : 0;
  }
  static WARPFORK_DEVICE void barrier_wait(arrival_token&& before) {
    if (is_first_of_block()) await(barrier(), before);
    __syncthreads();
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

  static WARPFORK_DEVICE bool is_first_of_block() { return (threadIdx.x | threadIdx.y | threadIdx.z) == 0; }
  static WARPFORK_DEVICE unsigned* barrier() { return reinterpret_cast<unsigned*>(workspace() + 4); }

  /* One thread of each block comes to the grid's barrier; with the last one its highest bit changes. */
  static constexpr unsigned kPhase = 0x80000000u;
  static WARPFORK_DEVICE unsigned come(unsigned* place) {
    __threadfence();
    return atomicAdd(place, block_rank() == 0 ? kPhase - unsigned(num_blocks() - 1) : 1);
  }
  static WARPFORK_DEVICE void await(unsigned* place, unsigned before) {
    while (((before ^ *static_cast<volatile unsigned*>(place)) & kPhase) == 0) {
    }
    __threadfence();
  }

  /* What the launch gives its blocks to wait by: its size in bytes, and a barrier. */
  static WARPFORK_DEVICE unsigned long long workspace() {
    unsigned high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    return static_cast<unsigned long long>(high) << 32 | low;
  }
};

WARPFORK_DEVICE grid_group this_grid() { return grid_group(); }

}  // namespace cooperative_groups
