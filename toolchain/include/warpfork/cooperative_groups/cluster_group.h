/* The blocks of a cluster, of which there is one: as in a launch without clusters. */
#pragma once

#include <warpfork/cooperative_groups/thread_block.h>

namespace cooperative_groups {

class cluster_group : public thread_block {
 public:
  static WARPFORK_DEVICE dim3 block_index() { return dim3(0, 0, 0); }
  static WARPFORK_DEVICE dim3 dim_blocks() { return dim3(1, 1, 1); }
  static WARPFORK_DEVICE unsigned num_blocks() { return 1; }
  static WARPFORK_DEVICE unsigned block_rank() { return 0; }

  /* Where a variable in shared memory is of a block, and which block has it. */
  template <class T>
  static WARPFORK_DEVICE T* map_shared_rank(T* address, int) {
    return address;
  }
  static WARPFORK_DEVICE unsigned query_shared_rank(const void*) { return 0; }

 private:
  friend __device__ cluster_group this_cluster();
  WARPFORK_DEVICE cluster_group() : thread_block(this_thread_block()) {}
};

WARPFORK_DEVICE cluster_group this_cluster() { return cluster_group(); }

}  // namespace cooperative_groups
