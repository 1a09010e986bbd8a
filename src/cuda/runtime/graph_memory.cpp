#include "cuda/runtime/graph_memory.h"

#include <utility>

#include "cuda/runtime/api_error.h"

namespace warpfork::cuda {

std::shared_ptr<void> GraphMemory::reserve(MemorySpace& space, void* pointer, std::uint64_t bytes) {
  blocks_[pointer] = {bytes};
  reserved_.add(bytes);
  return {pointer, [this, &space](void* reserved) {
            Block& block = blocks_.at(reserved);
            const bool is_the_programs = block.is_allocated;
            set(block, false);
            reserved_.bytes -= block.bytes;
            blocks_.erase(reserved);
            if (!is_the_programs) space.free(reserved);
          }};
}

void GraphMemory::set(Block& block, bool is_allocated) {
  if (std::exchange(block.is_allocated, is_allocated) == is_allocated) return;
  if (is_allocated)
    allocated_.add(block.bytes);
  else
    allocated_.bytes -= block.bytes;
}

void GraphMemory::allocate(const void* pointer) {
  Block& block = blocks_.at(pointer);
  if (block.is_allocated) throw ApiError(cudaErrorInvalidValue);
  set(block, true);
}

void GraphMemory::free(const void* pointer) {
  const auto found = blocks_.find(pointer);
  if (found == blocks_.end() || !found->second.is_allocated) throw ApiError(cudaErrorInvalidValue);
  set(found->second, false);
}

void GraphMemory::free_left(const void* pointer) {
  if (const auto found = blocks_.find(pointer); found != blocks_.end()) set(found->second, false);
}

}  // namespace warpfork::cuda
