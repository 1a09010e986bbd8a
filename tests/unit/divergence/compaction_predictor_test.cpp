#include "divergence/compaction_predictor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork {
namespace compaction_predictor_test {

TEST(CompactionPredictor, branch_without_an_entry_is_adequate) {
  CompactionPredictor predictor("latest", 0);
  EXPECT_TRUE(predictor.adequate(5));
  predictor.update(5, false);
  EXPECT_TRUE(predictor.adequate(4));
  EXPECT_TRUE(predictor.adequate(6));
  EXPECT_TRUE(predictor.adequate(1000));
}

TEST(CompactionPredictor, says_what_the_latest_compaction_has_shown) {
  CompactionPredictor predictor("latest", 0);
  predictor.update(5, false);
  EXPECT_FALSE(predictor.adequate(5));
  predictor.update(5, true);
  EXPECT_TRUE(predictor.adequate(5));
}

TEST(CompactionPredictor, full_table_forgets_the_branch_that_a_newcomer_displaces) {
  CompactionPredictor predictor("latest", 4);
  predictor.update(1, false);
  EXPECT_TRUE(predictor.adequate(5));  // the same entry, another branch
  predictor.update(5, false);
  EXPECT_FALSE(predictor.adequate(5));
  EXPECT_TRUE(predictor.adequate(1));
}

TEST(CompactionPredictor, shift_leaves_out_the_low_bits_of_the_pc) {
  CompactionPredictor predictor("latest", 4, 2);
  predictor.update(4, false);
  predictor.update(8, false);  // 4 and 8 differ in a higher bit: entries 1 and 2
  EXPECT_FALSE(predictor.adequate(4));
  predictor.update(5, false);  // 4 and 5 share an entry
  EXPECT_TRUE(predictor.adequate(4));
  EXPECT_FALSE(predictor.adequate(8));
}

TEST(CompactionPredictor, table_without_a_limit_has_an_entry_for_every_branch_whatever_the_shift) {
  CompactionPredictor predictor("latest", 0, 2);
  predictor.update(4, false);
  predictor.update(5, false);
  EXPECT_FALSE(predictor.adequate(4));
  EXPECT_FALSE(predictor.adequate(5));
}

TEST(CompactionPredictor, shift_by_all_bits_of_a_pc_is_an_error) {
  EXPECT_NO_THROW(CompactionPredictor("latest", 4, 31));
  EXPECT_THAT([] { CompactionPredictor("latest", 4, 32); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("at most 31")));
}

TEST(CompactionPredictor, bounds_do_not_learn) {
  CompactionPredictor always("always", 0), never("never", 0), oracle("oracle", 0);
  always.update(5, false);
  never.update(5, true);
  oracle.update(5, false);
  EXPECT_TRUE(always.adequate(5));
  EXPECT_TRUE(oracle.adequate(5));
  EXPECT_FALSE(never.adequate(5));
}

TEST(CompactionPredictor, unknown_one_is_an_error_that_names_the_known_ones) {
  EXPECT_THAT([] { CompactionPredictor("lately", 0); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("latest, always, never, oracle")));
}

}  // namespace compaction_predictor_test
}  // namespace warpfork
