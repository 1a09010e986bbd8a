// What a program advises about managed memory, and is told again ("CUDA Runtime API", "Memory Management").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "unit/cuda/api_session.h"

namespace warpfork::cuda {
namespace api_hints_test {

using ::testing::ElementsAre;

class Hints : public ApiTest {
 protected:
  void SetUp() override {
    if (cudaMallocManaged(&memory_, 4096, cudaMemAttachGlobal) != cudaSuccess)
      GTEST_SKIP() << "the device's addresses are taken in this process";
  }
  ~Hints() override { cudaFree(memory_); }

  cudaError_t advise(cudaMemoryAdvise advice, int device, std::size_t bytes = 4096) const {
    return cudaMemAdvise(memory_, bytes, advice, static_cast<unsigned>(device));
  }
  int told(cudaMemRangeAttribute attribute, std::size_t bytes = 4096) const {
    int value = -9;
    EXPECT_EQ(cudaMemRangeGetAttribute(&value, sizeof value, attribute, memory_, bytes), cudaSuccess);
    return value;
  }

  void* memory_ = nullptr;
};

TEST_F(Hints, hold_where_the_whole_range_has_them) {
  EXPECT_EQ(told(cudaMemRangeAttributeReadMostly), 0);
  EXPECT_EQ(advise(cudaMemAdviseSetReadMostly, 0, 2048), cudaSuccess);
  EXPECT_EQ(told(cudaMemRangeAttributeReadMostly, 2048), 1);
  EXPECT_EQ(told(cudaMemRangeAttributeReadMostly, 2049), 0);
  EXPECT_EQ(advise(cudaMemAdviseSetReadMostly, 0), cudaSuccess);
  EXPECT_EQ(told(cudaMemRangeAttributeReadMostly), 1);
  EXPECT_EQ(advise(cudaMemAdviseUnsetReadMostly, 0), cudaSuccess);
  EXPECT_EQ(told(cudaMemRangeAttributeReadMostly), 0);
}

TEST_F(Hints, name_places) {
  EXPECT_EQ(told(cudaMemRangeAttributePreferredLocation), cudaInvalidDeviceId);
  EXPECT_EQ(advise(cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId), cudaSuccess);
  EXPECT_EQ(told(cudaMemRangeAttributePreferredLocation), cudaCpuDeviceId);
  EXPECT_EQ(told(cudaMemRangeAttributePreferredLocationType), cudaMemLocationTypeHost);
  EXPECT_EQ(cudaMemPrefetchAsync(memory_, 4096, 0), cudaSuccess);
  EXPECT_EQ(told(cudaMemRangeAttributeLastPrefetchLocation), 0);
  EXPECT_EQ(told(cudaMemRangeAttributeLastPrefetchLocationType), cudaMemLocationTypeDevice);
  EXPECT_EQ(advise(cudaMemAdviseSetPreferredLocation, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(advise(static_cast<cudaMemoryAdvise>(7), 0), cudaErrorInvalidValue);
}

TEST_F(Hints, name_all_who_access) {
  std::array<int, 3> places{};
  EXPECT_EQ(advise(cudaMemAdviseSetAccessedBy, cudaCpuDeviceId), cudaSuccess);
  EXPECT_EQ(advise(cudaMemAdviseSetAccessedBy, 0), cudaSuccess);
  EXPECT_EQ(cudaMemRangeGetAttribute(places.data(), sizeof places, cudaMemRangeAttributeAccessedBy, memory_, 4096),
            cudaSuccess);
  EXPECT_THAT(places, ElementsAre(0, cudaCpuDeviceId, cudaInvalidDeviceId));
  EXPECT_EQ(advise(cudaMemAdviseUnsetAccessedBy, 0), cudaSuccess);
  EXPECT_EQ(told(cudaMemRangeAttributeAccessedBy), cudaCpuDeviceId);
}

// A location is a type in the lower word and a number in the upper one.
TEST_F(Hints, of_later_releases_name_locations) {
  EXPECT_EQ(cudaMemAdvise_v2(memory_, 4096, cudaMemAdviseSetPreferredLocation, cudaMemLocationTypeDevice), cudaSuccess);
  EXPECT_EQ(told(cudaMemRangeAttributePreferredLocation), 0);
  EXPECT_EQ(cudaMemPrefetchAsync_v2(memory_, 4096, cudaMemLocationTypeHost), cudaSuccess);
  EXPECT_EQ(told(cudaMemRangeAttributeLastPrefetchLocation), cudaCpuDeviceId);
  EXPECT_EQ(cudaMemPrefetchAsync_v2(memory_, 4096, 1ull << 32 | cudaMemLocationTypeDevice), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemPrefetchAsync_v2(memory_, 4096, 0), cudaErrorInvalidValue);
}

// CUDA Runtime API, cudaMemAdvise: "location is ignored".
TEST_F(Hints, about_no_place_ignore_the_location) {
  constexpr unsigned long long kNone = 0;
  EXPECT_EQ(cudaMemAdvise_v2(memory_, 4096, cudaMemAdviseSetReadMostly, kNone), cudaSuccess);
  EXPECT_EQ(told(cudaMemRangeAttributeReadMostly), 1);
  EXPECT_EQ(cudaMemAdvise_v2(memory_, 4096, cudaMemAdviseUnsetReadMostly, kNone), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise_v2(memory_, 4096, cudaMemAdviseUnsetPreferredLocation, kNone), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise_v2(memory_, 4096, cudaMemAdviseSetPreferredLocation, kNone), cudaErrorInvalidValue);
}

TEST_F(Hints, of_what_is_not_managed_or_not_there_are_not_told) {
  int value = 0;
  void* other = nullptr;
  cudaMalloc(&other, 64);
  const auto ask = [&](const void* memory, std::size_t count, std::size_t bytes) {
    return cudaMemRangeGetAttribute(&value, bytes, cudaMemRangeAttributeReadMostly, memory, count);
  };
  EXPECT_EQ(ask(other, 64, sizeof value), cudaErrorInvalidValue);
  EXPECT_EQ(ask(memory_, 4097, sizeof value), cudaErrorInvalidValue);
  EXPECT_EQ(ask(memory_, 4096, 8), cudaErrorInvalidValue);
  EXPECT_EQ(ask(memory_, 4096, sizeof value), cudaSuccess);
  cudaFree(other);
}

TEST_F(Hints, are_of_one_managed_allocation) {
  int own = 0;
  void* other = nullptr;
  cudaMalloc(&other, 64);
  EXPECT_EQ(cudaMemPrefetchAsync(&own, 4, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(other, 64, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(memory_, 0, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(memory_, 4097, 0), cudaErrorInvalidValue);
  EXPECT_EQ(advise(cudaMemAdviseSetReadMostly, 0, 4097), cudaErrorInvalidValue);
  EXPECT_EQ(advise(cudaMemAdviseSetReadMostly, 0, ~std::size_t{0}), cudaErrorInvalidValue);
  EXPECT_EQ(told(cudaMemRangeAttributeReadMostly), 0);
  cudaFree(other);
}

}  // namespace api_hints_test
}  // namespace warpfork::cuda
