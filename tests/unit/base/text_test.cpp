#include "base/text.h"

#include <gtest/gtest.h>

namespace warpfork {
namespace {

TEST(NearestNames, come_nearest_first_and_at_most_as_many_as_asked) {
  EXPECT_EQ(nearest_names("pdon", {"multi-path", "pdom", "dom"}, 2), (std::vector<std::string>{"pdom", "dom"}));
}

TEST(NearestNames, keep_their_given_order_in_a_tie) {
  EXPECT_EQ(nearest_names("x", {"b", "a"}, 2), (std::vector<std::string>{"b", "a"}));
}

}  // namespace
}  // namespace warpfork
