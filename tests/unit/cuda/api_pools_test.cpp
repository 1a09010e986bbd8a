// Memory pools, and the codes that the reference manual gives ("CUDA Runtime API", "Stream Ordered Memory Allocator").
#include <gtest/gtest.h>

#include "unit/cuda/api_session.h"

namespace warpfork::cuda {
namespace api_pools_test {

class Pools : public ApiTest {
 protected:
  Pools() { cudaDeviceGetDefaultMemPool(&pool_, 0); }

  static cudaMemPool_t made() {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    cudaMemPool_t pool = nullptr;
    EXPECT_EQ(cudaMemPoolCreate(&pool, &properties), cudaSuccess);
    return pool;
  }
  static std::uint64_t of(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
    std::uint64_t value = 0;
    EXPECT_EQ(cudaMemPoolGetAttribute(pool, attribute, &value), cudaSuccess);
    return value;
  }

  cudaMemPool_t pool_ = nullptr;
};

TEST_F(Pools, allocations_are_counted_until_they_are_freed_by_either_call) {
  void *first = nullptr, *second = nullptr;
  EXPECT_EQ(cudaMallocAsync(&first, 1000, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMallocFromPoolAsync(&second, 24, pool_, nullptr), cudaSuccess);
  EXPECT_EQ(of(pool_, cudaMemPoolAttrUsedMemCurrent), 1024u);
  EXPECT_EQ(cudaFreeAsync(first, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMallocAsync(&first, 8, nullptr), cudaSuccess);
  EXPECT_EQ(of(pool_, cudaMemPoolAttrUsedMemCurrent), 32u);
  EXPECT_EQ(of(pool_, cudaMemPoolAttrUsedMemHigh), 1024u);
  for (void* pointer : {first, second}) EXPECT_EQ(cudaFree(pointer), cudaSuccess);
  EXPECT_EQ(of(pool_, cudaMemPoolAttrUsedMemCurrent), 0u);
}

TEST_F(Pools, the_highest_count_can_begin_anew) {
  void* memory = nullptr;
  cudaMallocAsync(&memory, 64, nullptr);
  cudaFreeAsync(memory, nullptr);
  std::uint64_t zero = 0;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrUsedMemHigh, &zero), cudaSuccess);
  EXPECT_EQ(of(pool_, cudaMemPoolAttrUsedMemHigh), 0u);
}

TEST_F(Pools, settings_are_kept_in_their_widths) {
  std::uint64_t threshold = UINT64_MAX;
  int allowed = 0, read = 7;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
  EXPECT_EQ(of(pool_, cudaMemPoolAttrReleaseThreshold), UINT64_MAX);
  EXPECT_EQ(cudaMemPoolSetAttribute(pool_, cudaMemPoolReuseAllowOpportunistic, &allowed), cudaSuccess);
  EXPECT_EQ(cudaMemPoolGetAttribute(pool_, cudaMemPoolReuseAllowOpportunistic, &read), cudaSuccess);
  EXPECT_EQ(read, 0);
  EXPECT_EQ(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &threshold), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttr{}, &read), cudaErrorInvalidValue);
}

TEST_F(Pools, the_devices_pool_is_that_which_was_set_until_it_is_destroyed) {
  cudaMemPool_t own = made(), present = nullptr;
  void* memory = nullptr;
  EXPECT_EQ(cudaDeviceSetMemPool(0, own), cudaSuccess);
  EXPECT_EQ(cudaMallocAsync(&memory, 64, nullptr), cudaSuccess);
  EXPECT_EQ(of(own, cudaMemPoolAttrUsedMemCurrent), 64u);
  EXPECT_EQ(cudaMemPoolDestroy(own), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(own), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeAsync(memory, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetMemPool(&present, 0), cudaSuccess);
  EXPECT_EQ(present, pool_);
  EXPECT_EQ(cudaMemPoolDestroy(pool_), cudaErrorInvalidValue);
}

TEST_F(Pools, only_the_one_device_has_pools_and_reaches_them) {
  cudaMemPool_t pool = nullptr;
  const cudaMemAccessDesc other{{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite};
  cudaMemLocation here{cudaMemLocationTypeDevice, 0};
  cudaMemAccessFlags flags{};
  EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemPoolSetAccess(pool_, &other, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemPoolGetAccess(&flags, pool_, &here), cudaSuccess);
  EXPECT_EQ(flags, cudaMemAccessFlagsProtReadWrite);
  EXPECT_EQ(cudaMemPoolTrimTo(pool_, 0), cudaSuccess);
}

TEST_F(Pools, memory_of_other_places_is_refused) {
  cudaMemPoolProps properties{};
  cudaMemPool_t pool = nullptr;
  EXPECT_EQ(cudaMemPoolCreate(&pool, &properties), cudaErrorNotSupported);
  EXPECT_EQ(cudaMemPoolCreate(&pool, nullptr), cudaErrorInvalidValue);
}

}  // namespace api_pools_test
}  // namespace warpfork::cuda
