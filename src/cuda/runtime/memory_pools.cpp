#include "cuda/runtime/memory_pools.h"

#include <algorithm>

#include "cuda/runtime/api_error.h"

namespace warpfork::cuda {

const MemoryPools::Pool& MemoryPools::pool(cudaMemPool_t handle) const {
  const auto found = pools_.find(handle);
  if (found == pools_.end()) throw ApiError(cudaErrorInvalidValue);
  return found->second;
}

void MemoryPools::require(cudaMemPool_t handle) const { pool(handle); }

void MemoryPools::set_current(cudaMemPool_t handle) {
  require(handle);
  current_ = handle;
}

cudaMemPool_t MemoryPools::create() {
  const auto created = reinterpret_cast<cudaMemPool_t>(next_++);
  pools_[created];
  return created;
}

/// What was allocated from it stays until it is freed.
void MemoryPools::destroy(cudaMemPool_t handle) {
  require(handle);
  if (handle == kDefault) throw ApiError(cudaErrorInvalidValue);
  if (current_ == handle) current_ = kDefault;
  pools_.erase(handle);
}

void MemoryPools::allocated(cudaMemPool_t handle, const void* pointer, std::uint64_t bytes) {
  require(handle);
  Pool& from = pools_[handle];
  from.used += bytes;
  from.highest = std::max(from.highest, from.used);
  allocations_[pointer] = {handle, bytes};
}

void MemoryPools::freed(const void* pointer) {
  const auto found = allocations_.find(pointer);
  if (found == allocations_.end()) return;
  if (const auto from = pools_.find(found->second.pool); from != pools_.end()) from->second.used -= found->second.bytes;
  allocations_.erase(found);
}

std::uint64_t MemoryPools::attribute(cudaMemPool_t handle, cudaMemPoolAttr attribute) const {
  const Pool& of = pool(handle);
  switch (attribute) {
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      return of.used;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      return of.highest;
    default:
      if (attribute < cudaMemPoolReuseFollowEventDependencies || attribute > cudaMemPoolAttrReleaseThreshold)
        throw ApiError(cudaErrorInvalidValue);
      return of.settings[attribute];
  }
}

void MemoryPools::set_attribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, std::uint64_t value) {
  require(handle);
  Pool& of = pools_[handle];
  if (attribute >= cudaMemPoolReuseFollowEventDependencies && attribute <= cudaMemPoolAttrReleaseThreshold)
    of.settings[attribute] = value;
  else if ((attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh) && value == 0)
    of.highest = of.used;
  else
    throw ApiError(cudaErrorInvalidValue);
}

}  // namespace warpfork::cuda
