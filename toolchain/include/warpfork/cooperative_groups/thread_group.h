/* What all groups within a block have in common; also what a function takes that does not care which it is given. */
#pragma once

#include <cuda_runtime.h>

namespace cooperative_groups {

class thread_group {
 public:
  WARPFORK_DEVICE void sync() const {
    if (lanes_ == 0)
      __syncthreads();
    else
      __syncwarp(lanes_);
  }
  WARPFORK_DEVICE unsigned size() const { return lanes_ == 0 ? threads_of_block() : __popc(lanes_); }
  WARPFORK_DEVICE unsigned num_threads() const { return size(); }
  WARPFORK_DEVICE unsigned thread_rank() const {
    return lanes_ == 0 ? rank_in_block() : __popc(lanes_ & __nvvm_read_ptx_sreg_lanemask_lt());
  }

 protected:
  friend class coalesced_group;
  friend __device__ thread_group tiled_partition(const thread_group&, unsigned);

  WARPFORK_DEVICE explicit thread_group(unsigned lanes) : lanes_(lanes) {}
  WARPFORK_DEVICE unsigned lanes() const { return lanes_; }

  static WARPFORK_DEVICE unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
  static WARPFORK_DEVICE unsigned rank_in_block() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }

 private:
  unsigned lanes_; /* of the warp; 0: the whole block */
};

/* Of groups of any type, grids too. */
template <typename Group>
WARPFORK_DEVICE auto sync(const Group& group) -> decltype(group.sync()) {
  group.sync();
}
template <typename Group>
WARPFORK_DEVICE auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <typename Group>
WARPFORK_DEVICE auto group_size(const Group& group) -> decltype(group.size()) {
  return group.size();
}

}  // namespace cooperative_groups
