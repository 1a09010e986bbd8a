#include "cuda/runtime/graph_memory.h"

#include <utility>

#include "cuda/runtime/api_error.h"

namespace warpfork::cuda {

std::shared_ptr<void> GraphMemory::reserve(MemorySpace& space, void* pointer) {
  is_allocated_[pointer] = false;
  return {pointer, [this, &space](void* reserved) {
            const bool is_the_programs = is_allocated_.at(reserved);
            is_allocated_.erase(reserved);
            if (!is_the_programs) space.free(reserved);
          }};
}

void GraphMemory::allocate(const void* pointer) {
  if (std::exchange(is_allocated_.at(pointer), true)) throw ApiError(cudaErrorInvalidValue);
}

void GraphMemory::free(const void* pointer) {
  const auto found = is_allocated_.find(pointer);
  if (found == is_allocated_.end() || !found->second) throw ApiError(cudaErrorInvalidValue);
  found->second = false;
}

void GraphMemory::free_left(const void* pointer) {
  if (const auto found = is_allocated_.find(pointer); found != is_allocated_.end()) found->second = false;
}

}  // namespace warpfork::cuda
