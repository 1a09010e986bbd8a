#include "base/text.h"

#include <gtest/gtest.h>

namespace warpfork {
namespace text_test {

TEST(NearestNames, come_nearest_first_and_at_most_as_many_as_asked) {
  EXPECT_EQ(nearest_names("pdon", {"multi-path", "pdom", "dom"}, 2), (std::vector<std::string>{"pdom", "dom"}));
}

TEST(NearestNames, keep_their_given_order_in_a_tie) {
  EXPECT_EQ(nearest_names("x", {"b", "a"}, 2), (std::vector<std::string>{"b", "a"}));
}

TEST(NoSuchName, is_told_with_the_nearest_and_all_that_there_are) {
  EXPECT_EQ(no_such_name("core", "simtx", "cores", {"smt", "ditva", "simt-x"}),
            "there is no core 'simtx'\n  did you mean simt-x? all cores: smt, ditva, simt-x");
}

TEST(Counted, says_of_one_what_it_is_and_of_others_with_an_s) {
  EXPECT_EQ(counted(0, "warp"), "0 warps");
  EXPECT_EQ(counted(1, "warp"), "1 warp");
  EXPECT_EQ(counted(2, "warp"), "2 warps");
  EXPECT_EQ(counted(2, "launch"), "2 launches");
}

}  // namespace text_test
}  // namespace warpfork
