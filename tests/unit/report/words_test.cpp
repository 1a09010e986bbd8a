#include "report/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpfork::report {
namespace words_test {

TEST(Words, are_told_of_where_they_stand_in_a_report) {
  EXPECT_EQ(words_of("l1d 12 accesses, 50.0 % missed (1.25 MPKI)"),
            "words\n  MPKI         misses per thousand thread instructions\n");
}

TEST(Words, are_told_of_once_in_the_order_of_the_alphabet) {
  EXPECT_THAT(words_of("no_warp 1 %, no_warp 2 %, idle cycles"),
              ::testing::MatchesRegex("words\n  idle cycles  [^\n]+\n  no_warp      [^\n]+\n"));
}

TEST(Words, are_not_found_within_others) { EXPECT_EQ(words_of("lostness, no_warps"), ""); }

TEST(Words, of_no_report_are_none) { EXPECT_EQ(words_of(""), ""); }

}  // namespace words_test
}  // namespace warpfork::report
