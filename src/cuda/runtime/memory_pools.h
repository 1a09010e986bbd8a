// Pools that allocations in the order of streams come from (CUDA Runtime API, "Stream Ordered Memory Allocator").
#pragma once

#include <driver_types.h>

#include <array>
#include <cstdint>
#include <map>

namespace warpfork::cuda {

/// Accounts: the memory itself is the device's, and freed memory goes back to it at once, whatever a pool may keep on
/// real devices. Handles are numbers, never addresses. Throws ApiError(cudaErrorInvalidValue) for what is no pool.
class MemoryPools {
 public:
  cudaMemPool_t default_pool() const { return kDefault; }
  /// That allocations come from which name none.
  cudaMemPool_t current() const { return current_; }
  void set_current(cudaMemPool_t pool);
  void require(cudaMemPool_t pool) const;

  cudaMemPool_t create();
  void destroy(cudaMemPool_t pool);

  void allocated(cudaMemPool_t pool, const void* pointer, std::uint64_t bytes);
  /// Memory of no pool may be told, too.
  void freed(const void* pointer);

  /// Counts are in bytes; the highest may be set to 0, which makes it the present one.
  std::uint64_t attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute) const;
  void set_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, std::uint64_t value);
  /// Whether the attribute is a number of 64 bits; else it is an int.
  static bool is_wide(cudaMemPoolAttr attribute) { return attribute >= cudaMemPoolAttrReleaseThreshold; }

 private:
  struct Pool {
    std::array<std::uint64_t, cudaMemPoolAttrReleaseThreshold + 1> settings{0, 1, 1, 1, 0};  // by attribute
    std::uint64_t used = 0, highest = 0;
  };
  struct Allocation {
    cudaMemPool_t pool;
    std::uint64_t bytes;
  };
  const Pool& pool(cudaMemPool_t handle) const;

  static inline const cudaMemPool_t kDefault = reinterpret_cast<cudaMemPool_t>(std::uintptr_t{1});
  std::uintptr_t next_ = 2;
  cudaMemPool_t current_ = kDefault;
  std::map<cudaMemPool_t, Pool> pools_{{kDefault, {}}};
  std::map<const void*, Allocation> allocations_;
};

}  // namespace warpfork::cuda
