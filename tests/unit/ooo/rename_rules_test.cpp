// The rules of SIMT-X 3.8.1 to 3.8.4 one by one, each at its boundary. Four lanes; r0 begins in p0, r1 in p1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "rename_machine.h"

namespace warpfork::ooo {
namespace rename_rules_test {

using ::testing::ElementsAre;

struct RenameRules : ::testing::Test {
  RenameMachine machine{{"pirat", {4, 10}, 2, 16, 0}};

  /// Two paths of committed masks.
  void part(LaneMask one, LaneMask other) {
    a = machine.paths().start(one);
    b = machine.paths().start(other);
  }
  RenamedUop uop(PathId path, std::vector<x86::RegisterId> sources, std::vector<x86::RegisterId> destinations) {
    machine.strategy().begin_block();
    EXPECT_EQ(machine.rename(path, sources, destinations), RenameOutcome::Renamed);
    for (auto item = machine.in_flight().rbegin(); item != machine.in_flight().rend(); ++item)
      if (item->kind == RenameMachine::Item::Kind::Uop) return item->uop;
    return {};
  }
  void write(PathId path) { uop(path, {}, {0}); }
  RegisterPair r0() { return machine.strategy().table().mapping(0); }
  RegisterPair committed_r0() { return machine.committed(0); }
  void commit_all() {
    while (machine.commit()) machine.audit();
  }

  PathId a = kNoPath, b = kNoPath;
};

TEST_F(RenameRules, a_source_with_main_only_is_main) {
  part(0b0011, 0b1100);
  EXPECT_THAT(uop(a, {0}, {}).read(), ElementsAre(0));
}

TEST_F(RenameRules, a_source_within_the_mask_is_ldiv_and_one_without_is_main) {
  part(0b0011, 0b1100);
  write(a);  // p2
  EXPECT_THAT(uop(a, {0}, {}).read(), ElementsAre(2));
  EXPECT_THAT(uop(b, {0}, {}).read(), ElementsAre(0));
  EXPECT_EQ(machine.merges(), 0u);
}

TEST_F(RenameRules, a_source_in_both_is_merged_into_main) {
  part(0b0011, 0b1100);
  write(a);                                   // p2
  const PathId all = machine.converge(a, b);  //
  EXPECT_THAT(uop(all, {0}, {}).read(), ElementsAre(3));
  EXPECT_EQ(r0(), (RegisterPair{3, kNoRegister}));
}

TEST_F(RenameRules, two_sources_of_one_register_are_merged_once) {
  part(0b0011, 0b1100);
  write(a);
  const RenamedUop both = uop(machine.converge(a, b), {0, 0}, {0});
  EXPECT_THAT(both.read(), ElementsAre(3, 3));
  EXPECT_EQ(machine.merges(), 1u);
  EXPECT_EQ(r0(), (RegisterPair{4, kNoRegister}));  // the whole warp writes
}

TEST_F(RenameRules, a_write_that_covers_the_mask_replaces_ldiv) {
  part(0b0011, 0b1100);
  write(a);
  write(a);
  EXPECT_EQ(r0(), (RegisterPair{0, 3}));
  commit_all();
  EXPECT_EQ(machine.free().available(), 16u - 2 - 1);
}

TEST_F(RenameRules, a_write_that_covers_the_rest_replaces_main) {
  part(0b0011, 0b1100);
  write(a);
  write(b);
  EXPECT_EQ(r0(), (RegisterPair{2, 3}));
  commit_all();
  EXPECT_EQ(machine.free().available(), 16u - 2 - 1);
}

TEST_F(RenameRules, a_write_that_covers_neither_merges) {
  part(0b0011, 0b0100);
  machine.paths().start(0b1000);
  write(a);
  write(b);
  EXPECT_EQ(machine.merges(), 1u);
  EXPECT_EQ(r0(), (RegisterPair{3, 4}));
}

TEST_F(RenameRules, a_pending_divergence_makes_the_same_write_merge) {
  part(0b0011, 0b1100);
  write(a);
  machine.diverge(b);
  write(a);
  EXPECT_EQ(machine.merges(), 1u);
}

TEST_F(RenameRules, a_divergence_is_pending_until_its_branch_commits) {
  part(0b0011, 0b1100);
  write(a);
  machine.resolve(machine.diverge(b), 0b1100);
  write(a);
  EXPECT_EQ(machine.merges(), 1u);
  commit_all();
  write(a);
  EXPECT_EQ(machine.merges(), 1u);
}

// Section 4.2: a single thread "holds a single physical mapping". By the letter of 3.8.1 it would hold two.
TEST_F(RenameRules, the_whole_warp_replaces_everything) {
  const PathId all = machine.paths().start(0b1111);
  write(all);
  EXPECT_EQ(r0(), (RegisterPair{2, kNoRegister}));
  commit_all();
  EXPECT_EQ(machine.free().available(), 16u - 2);
}

TEST_F(RenameRules, the_whole_warp_keeps_main_while_a_divergence_is_pending) {
  const PathId all = machine.diverge(machine.paths().start(0b1111));
  write(all);
  EXPECT_EQ(r0(), (RegisterPair{0, 2}));
}

// Worked out by hand: lanes 2 and 3 have ended, so that lanes 0 and 1 are all who may read r0.
TEST_F(RenameRules, all_lanes_whose_threads_have_not_ended_are_the_whole_warp) {
  part(0b0011, 0b1100);
  machine.end(b);
  write(a);  // p2: the end has not committed
  EXPECT_EQ(r0(), (RegisterPair{0, 2}));
  commit_all();
  write(a);  // p3
  EXPECT_EQ(r0(), (RegisterPair{3, kNoRegister}));
  commit_all();
  EXPECT_EQ(machine.free().available(), 16u - 2);
}

TEST_F(RenameRules, nothing_is_merged_for_lanes_whose_threads_have_ended) {
  part(0b0011, 0b0100);
  const PathId c = machine.paths().start(0b1000);
  write(c);  // p2
  machine.end(c);
  commit_all();
  write(a);  // p3, in place of what lane 3 wrote
  EXPECT_EQ(r0(), (RegisterPair{0, 3}));
  write(b);  // p4, in place of what all had
  EXPECT_EQ(r0(), (RegisterPair{3, 4}));
  EXPECT_EQ(machine.merges(), 0u);
}

TEST_F(RenameRules, a_path_becomes_its_mask_when_the_writer_commits) {
  part(0b0011, 0b1100);
  write(a);
  EXPECT_THAT(machine.strategy().table().describe(), ::testing::HasSubstr("r0  p0    h0    p2"));
  commit_all();
  EXPECT_THAT(machine.strategy().table().describe(), ::testing::HasSubstr("r0  p0    0011  p2"));
}

// Figure 4(c): p6 ← φ(p1, h1, p4), p7 ← p4 − 1. The merge commits before the µop that still reads p4.
TEST_F(RenameRules, a_register_that_the_same_uop_reads_outlives_its_merge) {
  part(0b0011, 0b1100);
  write(a);  // p2
  commit_all();
  machine.diverge(b);
  EXPECT_THAT(uop(a, {0}, {0}).read(), ElementsAre(2));
  machine.resolve(machine.in_flight().front().divergence.created, 0b1100);
  EXPECT_TRUE(machine.commit() && machine.commit());  // the branch and the merge
  EXPECT_EQ(machine.free().available(), 16u - 3 - 2);
  EXPECT_TRUE(machine.commit());
  EXPECT_EQ(machine.free().available(), 16u - 3);
}

TEST_F(RenameRules, a_flush_of_all_returns_to_what_has_committed) {
  part(0b0011, 0b1100);
  write(a);
  commit_all();
  machine.diverge(b);
  write(a);
  uop(a, {0}, {1});
  machine.flush();
  machine.audit();
  EXPECT_EQ(r0(), committed_r0());
  EXPECT_EQ(r0(), (RegisterPair{0, 2}));
  EXPECT_FALSE(machine.strategy().table().divergence_pending());
}

TEST_F(RenameRules, undo_of_all_is_a_flush) {
  part(0b0011, 0b1100);
  write(a);
  machine.diverge(b);
  write(a);
  machine.squash(3);
  machine.audit();
  EXPECT_EQ(r0(), committed_r0());
  EXPECT_FALSE(machine.strategy().table().divergence_pending());
}

// Section 3.8.3, one block: the second µop needs another merge of r0.
TEST_F(RenameRules, a_block_merges_a_register_once) {
  part(0b0011, 0b1100);
  machine.diverge(b);
  machine.strategy().begin_block();
  EXPECT_EQ(machine.rename(a, {}, {0}), RenameOutcome::Renamed);
  const RegisterPair before = r0();
  machine.strategy().begin_block();
  EXPECT_EQ(machine.rename(a, {}, {0}), RenameOutcome::Renamed);
  EXPECT_EQ(machine.rename(a, {}, {1}), RenameOutcome::Renamed);
  const unsigned free = machine.free().available();
  EXPECT_EQ(machine.rename(a, {}, {0}), RenameOutcome::SeveralMerges);
  EXPECT_EQ(machine.free().available(), free);
  EXPECT_NE(r0(), before);
  machine.strategy().begin_block();
  EXPECT_EQ(machine.rename(a, {}, {0}), RenameOutcome::Renamed);
}

TEST_F(RenameRules, a_block_does_not_write_a_register_twice_if_that_takes_a_merge) {
  part(0b0011, 0b1100);
  machine.diverge(b);
  machine.strategy().begin_block();
  EXPECT_EQ(machine.rename(a, {}, {0}), RenameOutcome::Renamed);  // no merge: r0 had Main only
  EXPECT_EQ(machine.rename(a, {}, {0}), RenameOutcome::SeveralMerges);
}

// A merge for a source, then two writes that need none.
TEST_F(RenameRules, a_block_does_not_write_a_merged_register_twice) {
  part(0b0011, 0b1100);
  write(a);
  const PathId all = machine.converge(a, b);
  machine.strategy().begin_block();
  EXPECT_EQ(machine.rename(all, {0}, {0}), RenameOutcome::Renamed);
  EXPECT_EQ(machine.rename(all, {0}, {}), RenameOutcome::Renamed);
  EXPECT_EQ(machine.rename(all, {}, {0}), RenameOutcome::SeveralMerges);
}

// The merge is for a write of one side; the two sides meet within the block, and read what one of them wrote.
TEST_F(RenameRules, a_block_does_not_merge_a_source_again) {
  part(0b0011, 0b1100);
  write(a);
  b = machine.diverge(b);
  machine.strategy().begin_block();
  EXPECT_EQ(machine.rename(a, {}, {0}), RenameOutcome::Renamed);
  const PathId all = machine.converge(a, b);
  EXPECT_EQ(machine.rename(all, {0}, {}), RenameOutcome::SeveralMerges);
  machine.strategy().begin_block();
  EXPECT_EQ(machine.rename(all, {0}, {}), RenameOutcome::Renamed);
}

TEST_F(RenameRules, writes_without_merges_share_a_block) {
  part(0b0011, 0b1100);
  machine.strategy().begin_block();
  EXPECT_EQ(machine.rename(a, {}, {0}), RenameOutcome::Renamed);
  EXPECT_EQ(machine.rename(a, {}, {0}), RenameOutcome::Renamed);
}

TEST(FreeMerging, stalls_for_no_merge_and_takes_the_same_registers) {
  RenameMachine machine({"free-merge", {4, 10}, 2, 16, 0});
  const PathId path = machine.diverge(machine.paths().start(0b1111));
  machine.strategy().begin_block();
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(machine.rename(path, {}, {0}), RenameOutcome::Renamed);
  EXPECT_EQ(machine.merges(), 3u);
  EXPECT_EQ(machine.free().available(), 16u - 2 - 4 - 3);
  EXPECT_TRUE(machine.strategy().merges_are_free());
}

TEST(RewritingRenaming, replaces_what_the_path_wrote_last_though_a_divergence_is_pending) {
  RenameMachine machine({"pirat-rewrite", {4, 10}, 2, 16, 0});
  const PathId path = machine.diverge(machine.paths().start(0b1111));
  for (unsigned i = 0; i < 4; ++i) {
    machine.strategy().begin_block();
    EXPECT_EQ(machine.rename(path, {}, {0}), RenameOutcome::Renamed);
  }
  EXPECT_EQ(machine.merges(), 0u);
  const PathId other = machine.resolve(path, 0b0011);
  machine.strategy().begin_block();
  EXPECT_EQ(machine.rename(other, {}, {0}), RenameOutcome::Renamed);  // the divergence is pending, the path another one
  EXPECT_EQ(machine.merges(), 1u);
}

TEST(NaiveRenaming, merges_once_a_block_and_register) {
  RenameMachine machine({"rat", {4, 10}, 2, 16, 0});
  const PathId one = machine.paths().start(0b0001);
  machine.paths().start(0b1110);
  machine.strategy().begin_block();
  EXPECT_EQ(machine.rename(one, {}, {0}), RenameOutcome::Renamed);
  EXPECT_EQ(machine.rename(one, {0}, {1}), RenameOutcome::Renamed);
  EXPECT_EQ(machine.rename(one, {}, {0}), RenameOutcome::SeveralMerges);
}

TEST(NaiveRenaming, merges_nothing_for_lanes_whose_threads_have_ended) {
  RenameMachine machine({"rat", {4, 10}, 2, 16, 0});
  const PathId one = machine.paths().start(0b0011);
  machine.end(machine.paths().start(0b1100));
  for (const unsigned merges : {1u, 1u}) {  // before the end has committed, and after
    machine.strategy().begin_block();
    EXPECT_EQ(machine.rename(one, {}, {0}), RenameOutcome::Renamed);
    EXPECT_EQ(machine.merges(), merges);
    while (machine.commit()) machine.audit();
  }
}

TEST(NaiveRenaming, merges_no_register_that_the_block_wrote_or_merged) {
  RenameMachine machine({"rat", {4, 10}, 2, 16, 0});
  const PathId one = machine.paths().start(0b0011), other = machine.paths().start(0b1100);
  machine.strategy().begin_block();
  EXPECT_EQ(machine.rename(one, {}, {0}), RenameOutcome::Renamed);
  const PathId all = machine.converge(one, other);
  EXPECT_EQ(machine.rename(all, {}, {0}), RenameOutcome::SeveralMerges);
  EXPECT_EQ(machine.rename(all, {}, {1}), RenameOutcome::Renamed);  // the whole warp: no merge
  EXPECT_EQ(machine.rename(machine.diverge(all), {}, {1}), RenameOutcome::SeveralMerges);
}

TEST(Renaming, stalls_without_a_trace_when_registers_run_out) {
  for (const RenameStrategyEntry& strategy : rename_strategies()) {
    RenameMachine machine({std::string(strategy.name), {1, 8}, 2, 5, 0});
    const PathId path = machine.paths().start(1);
    machine.strategy().begin_block();
    EXPECT_EQ(machine.rename(path, {0}, {0, 1}), RenameOutcome::Renamed);
    EXPECT_EQ(machine.rename(path, {0}, {0, 1}), RenameOutcome::NoFreeRegister);  // one is left
    EXPECT_EQ(machine.rename(path, {0}, {1}), RenameOutcome::Renamed);
    while (machine.commit()) machine.audit();
  }
}

TEST(Renaming, of_one_thread_is_a_plain_register_alias_table) {
  for (const RenameStrategyEntry& strategy : rename_strategies()) {
    RenameMachine machine({std::string(strategy.name), {1, 8}, 2, 10, 0});
    const PathId path = machine.paths().start(1);
    machine.strategy().begin_block();
    for (PhysicalRegister i = 0; i < 4; ++i) {
      EXPECT_EQ(machine.rename(path, {0, 1}, {0}), RenameOutcome::Renamed);
      EXPECT_THAT(machine.in_flight().back().uop.read(), ElementsAre(i == 0 ? 0 : i + 1, 1));
      EXPECT_EQ(machine.strategy().table().mapping(0), (RegisterPair{static_cast<PhysicalRegister>(i + 2)}));
    }
    EXPECT_EQ(machine.merges(), 0u);
    while (machine.commit()) machine.audit();
    EXPECT_EQ(machine.free().available(), 8u);
  }
}

TEST(Renaming, takes_vector_registers_from_their_own_file) {
  PathTable paths({1, 8});
  FreeList free(40, 40, 8);
  Pirat table(paths, free);
  EXPECT_EQ(free.available(RegisterClass::Integer), 40u - 17);  // 16, the control word
  EXPECT_EQ(free.available(RegisterClass::Vector), 40u - 19);   // 16, x87, two temporaries
  EXPECT_EQ(free.available(RegisterClass::Flags), 8u - 1);
  const PathId path = paths.start(1);
  EXPECT_GE(table.write(x86::kVector, path, WriteRule::ReplaceAll).physical, 40);
  EXPECT_LT(table.write(x86::kControl, path, WriteRule::ReplaceAll).physical, 40);
  EXPECT_GE(table.write_flags(path).physical, 80);
}

TEST(Renaming, strategies_are_found_by_name) {
  EXPECT_EQ(find_rename_strategy("free-merge").name, "free-merge");
  try {
    find_rename_strategy("piratt");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "error: there is no rename strategy 'piratt'\n  did you mean pirat? all strategies: pirat, rat, "
                 "free-merge, pirat-rewrite");
  }
}

TEST(FreeList, gives_the_first_returned_first) {
  FreeList free(2, 1);
  EXPECT_EQ(free.take(RegisterClass::Integer), 0);
  EXPECT_EQ(free.take(RegisterClass::Vector), 2);
  EXPECT_EQ(free.take(RegisterClass::Integer), 1);
  free.give(1);
  free.give(0);
  EXPECT_EQ(free.take(RegisterClass::Integer), 1);
  EXPECT_EQ(free.available(RegisterClass::Vector), 0u);
  EXPECT_THROW(free.take(RegisterClass::Vector), InvariantError);
}

TEST(FreeList, notices_a_register_freed_twice) {
  FreeList free(2, 0);
  EXPECT_THROW(free.give(0), InvariantError);
}

}  // namespace rename_rules_test
}  // namespace warpfork::ooo
