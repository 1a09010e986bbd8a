// Memory that nodes of graphs allocate and free (CUDA Runtime API, "Graph Management", cudaGraphAddMemAllocNode).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>

#include "cuda/runtime/memory_space.h"

namespace warpfork::cuda {

/// Bytes, and the most that there were at a time.
struct MemoryUse {
  std::uint64_t bytes = 0, most = 0;

  void add(std::uint64_t more) { most = std::max(most, bytes += more); }
  void forget_most() { most = bytes; }
};

/// Its address is known from when the node is made, and the same at every launch: so it is reserved as long as there is
/// a node that allocates it, in whatever graph. Throws ApiError(cudaErrorInvalidValue) where what is allocated is
/// allocated again, and what is not is freed.
class GraphMemory {
 public:
  /// What `space` has allocated goes back when nobody holds the result any more; unless a launch has left it to the
  /// program, whose it is from then on.
  std::shared_ptr<void> reserve(MemorySpace& space, void* pointer, std::uint64_t bytes);
  bool holds(const void* pointer) const { return blocks_.contains(pointer); }

  /// By a launch.
  void allocate(const void* pointer);
  /// By a launch, or by the program.
  void free(const void* pointer);
  /// If it is still allocated.
  void free_left(const void* pointer);

  /// What launches have allocated and nobody has freed, and what nodes hold for it. Of memory that has become the
  /// program's, neither.
  MemoryUse& allocated() { return allocated_; }
  MemoryUse& reserved() { return reserved_; }

 private:
  struct Block {
    std::uint64_t bytes;
    bool is_allocated = false;
  };
  void set(Block& block, bool is_allocated);

  std::map<const void*, Block> blocks_;  // that are reserved
  MemoryUse allocated_, reserved_;
};

}  // namespace warpfork::cuda
