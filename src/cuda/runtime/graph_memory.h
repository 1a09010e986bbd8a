// Memory that nodes of graphs allocate and free (CUDA Runtime API, "Graph Management", cudaGraphAddMemAllocNode).
#pragma once

#include <map>
#include <memory>

#include "cuda/runtime/memory_space.h"

namespace warpfork::cuda {

/// Its address is known from when the node is made, and the same at every launch: so it is reserved as long as there is
/// a node that allocates it, in whatever graph. Throws ApiError(cudaErrorInvalidValue) where what is allocated is
/// allocated again, and what is not is freed.
class GraphMemory {
 public:
  /// What `space` has allocated goes back when nobody holds the result any more; unless a launch has left it to the
  /// program, whose it is from then on.
  std::shared_ptr<void> reserve(MemorySpace& space, void* pointer);
  bool holds(const void* pointer) const { return is_allocated_.contains(pointer); }

  /// By a launch.
  void allocate(const void* pointer);
  /// By a launch, or by the program.
  void free(const void* pointer);
  /// If it is still allocated.
  void free_left(const void* pointer);

 private:
  std::map<const void*, bool> is_allocated_;  // of what is reserved
};

}  // namespace warpfork::cuda
