/* All threads of the block. */
#pragma once

#include <warpfork/cooperative_groups/thread_group.h>
#include <warpfork/cooperative_groups/tile_memory.h>

namespace cooperative_groups {

class thread_block : public thread_group {
 public:
  static WARPFORK_DEVICE void sync() { __syncthreads(); }
  /* As in NVIDIA's headers, all is done by who waits. */
  struct arrival_token {};
  WARPFORK_DEVICE arrival_token barrier_arrive() const { return {}; }
  WARPFORK_DEVICE void barrier_wait(arrival_token&&) const { sync(); }
  static WARPFORK_DEVICE unsigned size() { return threads_of_block(); }
  static WARPFORK_DEVICE unsigned num_threads() { return threads_of_block(); }
  static WARPFORK_DEVICE unsigned thread_rank() { return rank_in_block(); }
  static WARPFORK_DEVICE dim3 group_index() { return blockIdx; }
  static WARPFORK_DEVICE dim3 thread_index() { return threadIdx; }
  static WARPFORK_DEVICE dim3 dim_threads() { return blockDim; }
  static WARPFORK_DEVICE dim3 group_dim() { return blockDim; }

 private:
  friend __device__ thread_block this_thread_block();
  WARPFORK_DEVICE thread_block() : thread_group(0) {}
};

WARPFORK_DEVICE thread_block this_thread_block() { return thread_block(); }
template <unsigned Threads>
WARPFORK_DEVICE thread_block this_thread_block(block_tile_memory<Threads>&) {
  return this_thread_block();
}

}  // namespace cooperative_groups
