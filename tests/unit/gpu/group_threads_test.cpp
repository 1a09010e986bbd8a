#include "gpu/group_threads.h"

#include <gtest/gtest.h>

namespace warpfork::gpu {
namespace group_threads_test {

TEST(ThreadGroups, are_those_with_any_of_the_threads) {
  const ThreadGroups fours(4);
  EXPECT_EQ(fours.of(ActiveMask(0x0000'0801)), 0b101u) << "threads 0 and 11";
  EXPECT_EQ(fours.count(ActiveMask(0x0000'0801)), 2u);
  EXPECT_EQ(fours.of(ActiveMask()), 0u);
}

// Group by group, as the definition has it.
TEST(ThreadGroups, of_every_width_are_found_as_one_by_one) {
  std::uint64_t bits = 0x9E37'79B9'7F4A'7C15;
  for (unsigned width = 1; width <= 64; ++width)
    for (unsigned round = 0; round < 64; ++round, bits = bits * 6364136223846793005u + 1442695040888963407u) {
      const ActiveMask threads(bits & bits >> 7 & bits << 11 & ActiveMask::first(64 / width * width).bits());
      std::uint64_t groups = 0;
      for (unsigned group = 0; group < 64 / width; ++group)
        if (threads.intersects(group_threads(group, width))) groups |= std::uint64_t{1} << group;
      EXPECT_EQ(ThreadGroups(width).of(threads), groups) << width;
      EXPECT_EQ(ThreadGroups(width).count(threads), static_cast<unsigned>(std::popcount(groups))) << width;
    }
}

}  // namespace group_threads_test
}  // namespace warpfork::gpu
