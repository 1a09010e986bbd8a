// TAGE: what it must learn, and that histories are values.
#include <gtest/gtest.h>

#include <string>

#include "ooo/predict/tage.h"

namespace warpfork::ooo {
namespace predict_tage_test {

/// Predicts and trains one branch after another, as if each were committed before the next is fetched.
struct Training {
  Tage tage;
  BranchHistory history;

  bool right(std::uint64_t pc, bool taken) {
    const Tage::Prediction prediction = tage.predict(pc, history);
    tage.update(prediction, taken);
    history.push(pc, taken);
    return prediction.taken == taken;
  }

  /// Mispredictions of a branch that repeats the pattern ('1': taken) so many times.
  unsigned wrong(const std::string& pattern, unsigned times) {
    unsigned wrong = 0;
    for (unsigned i = 0; i < times; ++i)
      for (const char outcome : pattern) wrong += !right(0x401000, outcome == '1');
    return wrong;
  }
};

TEST(Tage, has_64_kilobits) {
  // 4096 × 2 in the base; 7 × 512 entries of 3 + 2 bits and tags of 8, 8, 9, 10, 11, 12, 12; 28 in counters.
  EXPECT_EQ(Tage::storage_bits(), 8192u + 7 * 512 * 5 + 512 * 70 + 28);
  EXPECT_LE(Tage::storage_bits(), 65536u);
}

TEST(Tage, learns_a_branch_that_always_goes_one_way) {
  Training run;
  run.wrong("0", 10);
  EXPECT_EQ(run.wrong("0", 1000), 0u);
}

// A bimodal predictor is wrong every second time, or each time.
TEST(Tage, learns_an_alternating_branch) {
  Training run;
  run.wrong("10", 200);
  EXPECT_EQ(run.wrong("10", 500), 0u);
}

// The end of a loop of 20 iterations: all outcomes before it are equal, so that 20 of them must be seen.
TEST(Tage, learns_how_often_a_loop_runs) {
  Training run;
  run.wrong("11111111111111111110", 300);
  EXPECT_EQ(run.wrong("11111111111111111110", 100), 0u);
}

TEST(Tage, learns_a_long_irregular_pattern) {
  Training run;
  const std::string pattern = "1101001110010110001011101000110111100001";
  run.wrong(pattern, 300);
  EXPECT_LE(run.wrong(pattern, 100), 40u);  // of 4000: a hundredth
}

// if (a) …; if (b) …; if (a && b) …: the third is known from the history of the other two.
TEST(Tage, learns_a_branch_that_follows_from_two_others) {
  Training run;
  unsigned wrong = 0;
  std::uint32_t random = 1;
  for (unsigned i = 0; i < 4000; ++i) {
    random = random * 1664525 + 1013904223;
    const bool a = random >> 30 & 1, b = random >> 31 & 1;
    run.right(0x401000, a);
    run.right(0x401010, b);
    const bool right = run.right(0x401020, a && b);
    if (i >= 3000) wrong += !right;
  }
  EXPECT_LE(wrong, 50u);  // of 1000; the share of (a && b) alone would leave 250
}

// Ten thousand wrong predictions of random branches ask for entries; those that a loop's end needs are useful and stay.
TEST(Tage, keeps_what_is_useful) {
  Training run;
  const std::string loop = "11111111111111111110";
  run.wrong(loop, 300);
  const BranchHistory before = run.history;
  std::uint32_t random = 1;
  for (unsigned i = 0; i < 20000; ++i) {
    random = random * 1664525 + 1013904223;
    run.right(0x500000 + random % 64, random >> 31);
  }
  run.history = before;
  EXPECT_EQ(run.wrong(loop, 1), 0u);
}

// A loop of five goes on where it was though a wrong path was fetched in between.
TEST(Tage, predicts_from_the_history_that_is_put_back) {
  Training run;
  run.wrong("11110", 200);
  const BranchHistory before = run.history;
  for (unsigned i = 0; i < 50; ++i) run.history.push(0x402000 + i, i % 3 == 0);
  EXPECT_NE(run.history, before);
  run.history = before;
  EXPECT_EQ(run.wrong("11110", 10), 0u);
}

TEST(BranchHistory, is_the_last_160_outcomes_and_nothing_older) {
  BranchHistory one, other;
  for (unsigned i = 0; i < 300; ++i) one.push(i, i % 7 == 5);  // the last one, 299, is taken
  const auto same = [&](unsigned i) {
    one.push(i * 5, i % 3 == 0);
    other.push(i * 5, i % 3 == 0);
  };
  for (unsigned i = 0; i < 159; ++i) same(i);
  EXPECT_NE(one.index_of(6), other.index_of(6));  // of the longest history: the 160th outcome differs
  for (unsigned i = 159; i < 192; ++i) same(i);
  for (unsigned table = 0; table < BranchHistory::kTables; ++table) {
    EXPECT_EQ(one.index_of(table), other.index_of(table));
    EXPECT_EQ(one.tag_of(table), other.tag_of(table));
  }
  EXPECT_EQ(one, other);
}

}  // namespace predict_tage_test
}  // namespace warpfork::ooo
