// Expected values: by hand from docs/adr/0015. The branch is at 5.
#include "divergence/compaction_oracle.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "one_block.h"

namespace warpfork {
namespace compaction_oracle_test {

constexpr Pc kBranch = 5;

class OracleOfBlock {
 public:
  explicit OracleOfBlock(Foresight foresight, std::uint64_t block = 0) : oracle_(foresight) {
    oracle_.start_block(block, 4);
  }

  void execute(std::initializer_list<HomeLanes> threads) {
    oracle_.execute(kBranch, {threads.begin(), threads.size()});
  }
  CompactionOracle::Decision diverge(std::initializer_list<HomeLanes> threads) {
    execute(threads);
    return oracle_.decide(kBranch, {threads.begin(), threads.size()});
  }
  CompactionOracle& operator*() { return oracle_; }

 private:
  CompactionOracle oracle_;
};

/// Warp 1's first four threads diverge twice: the first time in vain.
CompactionProfile second_time_pays() {
  CompactionProfile record(1);
  OracleOfBlock oracle({nullptr, &record});
  (*oracle).met(oracle.diverge({{1, ActiveMask(0xf)}}), false);
  (*oracle).met(oracle.diverge({{1, ActiveMask(0xf)}}), true);
  record.complete();
  return record;
}

TEST(CompactionOracle, warp_of_which_nothing_is_known_waits) {
  EXPECT_TRUE(OracleOfBlock({}).diverge({{1, ActiveMask(0xf)}}).wait);
  const CompactionProfile known = second_time_pays();
  OracleOfBlock oracle({&known});
  EXPECT_TRUE(oracle.diverge({{2, ActiveMask(0xf)}}).wait);
  EXPECT_TRUE(oracle.diverge({{1, ActiveMask(0xf0)}}).wait);
}

TEST(CompactionOracle, knows_every_execution_of_a_branch_by_itself) {
  const CompactionProfile known = second_time_pays();
  OracleOfBlock oracle({&known});
  EXPECT_FALSE(oracle.diverge({{1, ActiveMask(0xf)}}).wait);
  EXPECT_TRUE(oracle.diverge({{1, ActiveMask(0xf)}}).wait);
}

TEST(CompactionOracle, executions_without_divergence_count) {
  const CompactionProfile known = second_time_pays();
  OracleOfBlock oracle({&known});
  oracle.execute({{1, ActiveMask(0xf)}});
  EXPECT_TRUE(oracle.diverge({{1, ActiveMask(0xf)}}).wait);
}

TEST(CompactionOracle, block_that_starts_has_executed_nothing) {
  const CompactionProfile known = second_time_pays();
  OracleOfBlock oracle({&known});
  oracle.execute({{1, ActiveMask(0xf)}});
  (*oracle).start_block(0, 4);
  EXPECT_FALSE(oracle.diverge({{1, ActiveMask(0xf)}}).wait);
}

TEST(CompactionOracle, another_block_is_another_story) {
  CompactionProfile known(2);
  known.of_block(0) = second_time_pays().of_block(0);
  EXPECT_FALSE(OracleOfBlock({&known}, 0).diverge({{1, ActiveMask(0xf)}}).wait);
  EXPECT_TRUE(OracleOfBlock({&known}, 1).diverge({{1, ActiveMask(0xf)}}).wait);
}

// Two threads are known not to gain; a third of another warp gains, a fourth is unknown.
TEST(CompactionOracle, regrouped_warp_does_what_most_of_its_known_threads_should) {
  CompactionProfile known(1);
  OracleOfBlock rehearsal({nullptr, &known});
  (*rehearsal).met(rehearsal.diverge({{1, ActiveMask(0b0011)}}), false);
  (*rehearsal).met(rehearsal.diverge({{2, ActiveMask(0b1100)}}), true);
  known.complete();
  const auto waits = [&](std::initializer_list<HomeLanes> threads) {
    return OracleOfBlock({&known}).diverge(threads).wait;
  };
  EXPECT_FALSE(waits({{1, ActiveMask(0b0011)}, {2, ActiveMask(0b0100)}, {3, ActiveMask(0b1000)}}));
  EXPECT_TRUE(waits({{1, ActiveMask(0b0001)}, {2, ActiveMask(0b0100)}, {3, ActiveMask(0b1000)}}));
}

TEST(CompactionOracle, threads_that_have_executed_the_branch_differently_often_are_looked_up_apart) {
  const CompactionProfile known = second_time_pays();
  OracleOfBlock oracle({&known});
  oracle.execute({{1, ActiveMask(0b1110)}});
  EXPECT_TRUE(oracle.diverge({{1, ActiveMask(0xf)}}).wait);  // three threads for the second time, one for the first
}

TEST(CompactionOracle, wait_that_might_have_been_corrects_a_warp_that_did_not_wait) {
  CompactionProfile first = second_time_pays(), second(1);
  OracleOfBlock oracle({&first, &second});
  const CompactionOracle::Decision decision = oracle.diverge({{1, ActiveMask(0xf)}});
  ASSERT_FALSE(decision.wait);
  EXPECT_EQ(second.mistakes(), 0u);
  (*oracle).might_have_met(decision, true);
  EXPECT_EQ(second.mistakes(), 1u);
  second.complete();
  EXPECT_TRUE(OracleOfBlock({&second}).diverge({{1, ActiveMask(0xf)}}).wait);
}

TEST(CompactionOracle, what_was_given_up_stays_so_in_later_rehearsals) {
  CompactionProfile first(1), second(1), third(1);
  OracleOfBlock one({nullptr, &first});
  (*one).met(one.diverge({{1, ActiveMask(0xf)}}), false);
  first.complete();
  first.give_up();
  for (CompactionProfile* learnt : {&second, &third}) {
    OracleOfBlock again({learnt == &second ? &first : &second, learnt});
    const CompactionOracle::Decision decision = again.diverge({{1, ActiveMask(0xf)}});
    EXPECT_FALSE(decision.wait);
    (*again).might_have_met(decision, true);
    learnt->complete();
    EXPECT_EQ(learnt->mistakes(), 0u);
  }
}

/// What a block of four-lane warps does at its branches, twice: rehearsed, then with that knowledge.
class RehearsedBlock {
 public:
  template <typename Play>
  RehearsedBlock(unsigned warps, Play&& play) {
    OneBlock rehearsal(warps, {nullptr, &record_});
    play(rehearsal);
    record_.complete();
    OneBlock block(warps, {&record_});
    play(block);
    running_ = block.running();
    for (WarpId place = 0; place < warps; ++place) at_.push_back(block.at(place));
  }

  std::uint64_t mistakes_of_rehearsal() const { return record_.mistakes(); }
  std::uint32_t running() const { return running_; }
  const std::string& at(WarpId place) const { return at_[place]; }

 private:
  CompactionProfile record_{1};
  std::uint32_t running_ = 0;
  std::vector<std::string> at_;
};

// Threads 0, 6 and 7 to B (10), 1 to 5 to C (20): 4 warps become 3.
TEST(CompactionOracle, warps_of_capri_figure_3_wait_for_each_other) {
  const RehearsedBlock block(2, [](OneBlock& block) {
    block.advance(0, {path(10, 0b0001), path(20, 0b1110)}, 30);
    block.advance(1, {path(10, 0b1100), path(20, 0b0011)}, 30);
  });
  EXPECT_EQ(block.mistakes_of_rehearsal(), 0u);
  EXPECT_EQ(block.at(0), "10: 0:0001 1:1100");
}

// Warps 2 and 3 part in the same lanes, 0 and 1 do not: nobody waits, where "latest" waits the first time.
TEST(CompactionOracle, warps_of_capri_figure_6_do_not_wait_for_each_other) {
  const RehearsedBlock block(4, [](OneBlock& block) {
    for (WarpId whole : {0, 1}) block.advance(whole, {path(10 + 10 * whole, 0b1111)}, 30);
    for (WarpId place : {3, 2}) block.advance(place, {path(10, 0b0101), path(20, 0b1010)}, 30);
  });
  EXPECT_EQ(block.mistakes_of_rehearsal(), 2u);
  for (WarpId place : {2, 3}) EXPECT_EQ(block.at(place), "10: 0101");
  EXPECT_EQ(block.running(), 0b1111u);
}

/// Of a block of two warps that part at 0 for the first time: whether each shall wait.
CompactionProfile advice(bool first, bool second) {
  CompactionProfile record(1);
  for (const bool wait : {first, second}) {
    ProfiledDivergence entry;
    entry.executions = 1;
    entry.lanes = ActiveMask(0xf);
    entry.home = static_cast<std::uint8_t>(record.of_block(0).size());
    entry.paid = wait;
    record.of_block(0).push_back(entry);
  }
  record.complete();
  return record;
}

/// What two warps learn that part into opposite halves, which pays, after this advice.
CompactionProfile learnt_after(const CompactionProfile& known) {
  CompactionProfile learnt(1);
  OneBlock block(2, {&known, &learnt});
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  block.advance(1, {path(10, 0b1100), path(20, 0b0011)}, 30);
  learnt.complete();
  return learnt;
}

TEST(CompactionOracle, warps_that_missed_each_other_wait_the_next_time) {
  const CompactionProfile learnt = learnt_after(advice(false, false));
  EXPECT_EQ(learnt.mistakes(), 2u);
  for (const ProfiledDivergence& entry : learnt.of_block(0)) EXPECT_TRUE(!entry.waited && entry.should_wait());
}

TEST(CompactionOracle, warp_that_waited_for_one_that_passed_was_right_to_wait_though_in_vain) {
  for (const bool first : {true, false}) {
    const CompactionProfile learnt = learnt_after(advice(first, !first));
    EXPECT_EQ(learnt.mistakes(), 2u);
    for (const ProfiledDivergence& entry : learnt.of_block(0)) {
      EXPECT_EQ(entry.waited, (entry.home == 0) == first);
      EXPECT_EQ(entry.in_vain, entry.waited);
      EXPECT_TRUE(entry.should_wait());
    }
  }
}

TEST(CompactionOracle, learns_by_the_number_of_the_block) {
  CompactionProfile learnt(3);
  OneBlock block(2, {nullptr, &learnt});
  for (const WarpId place : {0, 1}) block.exit(place);
  block.launch(2);
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_TRUE(learnt.of_block(0).empty());
  EXPECT_EQ(learnt.of_block(2).size(), 1u);
}

/// The threads of a regrouped warp are known by their home warps.
TEST(CompactionOracle, learns_of_a_regrouped_warp_by_home_warp) {
  CompactionProfile learnt(1);
  OneBlock block(2, {nullptr, &learnt});
  block.advance(0, {path(10, 0b0011), path(20, 0b1100)}, 30);
  block.advance(1, {path(10, 0b1100), path(20, 0b0011)}, 30);
  block.advance(0, {path(12, 0b0101), path(14, 0b1010)}, 16);
  const std::vector<ProfiledDivergence>& entries = learnt.of_block(0);
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[2].branch, 10u);
  EXPECT_EQ(entries[2].lanes, ActiveMask(0b0011));
  EXPECT_EQ(entries[3].home, 1u);
  EXPECT_EQ(entries[3].lanes, ActiveMask(0b1100));
}

}  // namespace compaction_oracle_test
}  // namespace warpfork
