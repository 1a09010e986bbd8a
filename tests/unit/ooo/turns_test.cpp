// In which order the warps of a CPU core are served.
#include "ooo/turns.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpfork::ooo {
namespace turns_test {

/// Of a core of so many warps, up to so many visits.
std::vector<unsigned> served(unsigned warps, Cycle now, std::uint64_t these, std::size_t most = 64) {
  Turns turns(warps);
  turns.begin_cycle(now);
  std::vector<unsigned> order;
  turns.visit(WarpSet(these), [&](unsigned warp) {
    order.push_back(warp);
    return order.size() < most;
  });
  return order;
}

TEST(Turns, begin_with_the_next_warp_every_cycle) {
  EXPECT_EQ(served(3, 0, 0b111), (std::vector<unsigned>{0, 1, 2}));
  EXPECT_EQ(served(3, 1, 0b111), (std::vector<unsigned>{1, 2, 0}));
  EXPECT_EQ(served(3, 2, 0b111), (std::vector<unsigned>{2, 0, 1}));
  EXPECT_EQ(served(3, 3, 0b111), (std::vector<unsigned>{0, 1, 2}));
}

TEST(Turns, pass_over_warps_that_are_not_asked_for) {
  EXPECT_EQ(served(8, 5, 0b0100'1010), (std::vector<unsigned>{6, 1, 3}));
  EXPECT_EQ(served(8, 5, 0b0000'0001), (std::vector<unsigned>{0}));
  EXPECT_EQ(served(8, 5, 0), std::vector<unsigned>{});
}

TEST(Turns, serve_the_last_of_sixty_four_warps) {
  EXPECT_EQ(served(64, 63, std::uint64_t{1} << 63 | 1), (std::vector<unsigned>{63, 0}));
  EXPECT_EQ(served(64, 64, std::uint64_t{1} << 63 | 1), (std::vector<unsigned>{0, 63}));
}

TEST(Turns, end_when_nobody_else_is_to_be_served) {
  EXPECT_EQ(served(4, 2, 0b1111, 1), (std::vector<unsigned>{2}));
  EXPECT_EQ(served(4, 2, 0b1111, 3), (std::vector<unsigned>{2, 3, 0}));
}

}  // namespace turns_test
}  // namespace warpfork::ooo
