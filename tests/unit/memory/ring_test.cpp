#include "memory/ring.h"

#include <gtest/gtest.h>

namespace warpfork::memory {
namespace ring_test {

TEST(Ring, keeps_order_when_it_grows_after_wrapping_around) {
  Ring<int> ring(4);
  for (int i = 0; i < 3; ++i) ring.push(i);
  ring.pop();
  ring.pop();
  for (int i = 3; i < 9; ++i) ring.push(i);
  EXPECT_EQ(ring.size(), 7u);
  EXPECT_EQ(ring[6], 8);
  for (int i = 2; i < 9; ++i, ring.pop()) EXPECT_EQ(ring.front(), i);
  EXPECT_TRUE(ring.empty());
}

}  // namespace ring_test
}  // namespace warpfork::memory
