#include "cuda/runtime/memory_advice.h"

#include <gtest/gtest.h>

namespace warpfork::cuda {
namespace memory_advice_test {

void prefer_device(MemoryAdvice::Advice& advice) { advice.preferred = 0; }

TEST(MemoryAdvice, keeps_apart_only_what_differs) {
  MemoryAdvice advice;
  advice.change(100, 50, prefer_device);
  EXPECT_EQ(advice.parts(), 3u);
  advice.change(150, 50, prefer_device);
  EXPECT_EQ(advice.parts(), 3u) << "[100, 200) and what is around it";
  advice.change(120, 10, prefer_device);
  EXPECT_EQ(advice.parts(), 3u);
  advice.forget(120, 10);
  EXPECT_EQ(advice.parts(), 5u);
}

TEST(MemoryAdvice, is_as_if_never_given_when_it_is_forgotten) {
  MemoryAdvice advice;
  advice.forget(300, 10);
  advice.change(100, 50, prefer_device);
  EXPECT_EQ(advice.of(100, 50).preferred, 0);
  advice.forget(100, 50);
  EXPECT_EQ(advice.of(100, 50).preferred, cudaInvalidDeviceId);
  EXPECT_EQ(advice.parts(), 1u);
}

}  // namespace memory_advice_test
}  // namespace warpfork::cuda
