#include "memory/mshr.h"

#include <gtest/gtest.h>

namespace warpfork::memory {
namespace mshr_test {

TEST(Mshr, holds_waiters_in_order_up_to_its_merge_limit) {
  Mshr mshr(1, 2);
  const std::uint32_t entry = mshr.allocate(7);
  mshr.merge(entry, 100);
  EXPECT_TRUE(mshr.can_merge(entry));
  mshr.merge(entry, 101);
  EXPECT_FALSE(mshr.can_merge(entry));
  EXPECT_EQ(mshr.waiters(entry)[0], 100u);
  EXPECT_EQ(mshr.waiters(entry)[1], 101u);
}

TEST(Mshr, is_full_until_an_entry_is_released) {
  Mshr mshr(2, 1);
  const std::uint32_t first = mshr.allocate(7);
  EXPECT_FALSE(mshr.full());
  mshr.allocate(8);
  EXPECT_TRUE(mshr.full());
  mshr.release(first);
  EXPECT_FALSE(mshr.full());
  EXPECT_EQ(mshr.find(7), Mshr::kNone);
  EXPECT_NE(mshr.find(8), Mshr::kNone);
}

}  // namespace mshr_test
}  // namespace warpfork::memory
