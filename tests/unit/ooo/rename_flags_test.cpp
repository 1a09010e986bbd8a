// Flags and temporaries (ADR 0018): what merges they take. Expected by hand. Four lanes; r0 begins in p0, r1 in p1, the
// flags in p16.
#include <gtest/gtest.h>

#include "rename_machine.h"

namespace warpfork::ooo {
namespace rename_flags_test {

using x86::kFlags;

constexpr unsigned kFlagRegisters = 24;

class RenameFlags : public ::testing::TestWithParam<std::string_view> {
 protected:
  RenameMachine machine{{std::string(GetParam()), {4, 10}, 2, 16, 0, kFlagRegisters}};
  const PathId all = machine.paths().start(0b1111);

  PhysicalRegister write(PathId path) {
    machine.strategy().begin_block();
    EXPECT_EQ(machine.rename(path, {}, {kFlags}), RenameOutcome::Renamed);
    return machine.in_flight().back().uop.written()[0].physical;
  }
  PhysicalRegister read(PathId path) {
    machine.strategy().begin_block();
    EXPECT_EQ(machine.rename(path, {kFlags}, {}), RenameOutcome::Renamed);
    return machine.in_flight().back().uop.read()[0];
  }
  void commit_all() {
    while (machine.commit()) machine.audit();
    EXPECT_TRUE(machine.in_flight().empty());
  }
};

TEST_P(RenameFlags, of_two_sides_are_written_again_and_again_without_a_merge) {
  const PathId taken = machine.diverge(all);
  write(taken);
  const PathId other = machine.resolve(taken, 0b0011);
  for (unsigned turn = 0; turn < 3; ++turn) {  // the divergence is pending
    const PhysicalRegister ours = write(taken), theirs = write(other);
    EXPECT_EQ(read(taken), ours);
    EXPECT_EQ(read(other), theirs);
  }
  EXPECT_EQ(machine.merges(), 0u);
  commit_all();
}

TEST_P(RenameFlags, from_before_a_divergence_are_read_by_both_sides) {
  const PhysicalRegister before = write(all);
  const PathId taken = machine.diverge(all);
  const PathId other = machine.resolve(taken, 0b0011);
  const PhysicalRegister ours = write(taken);
  EXPECT_EQ(read(other), before);
  EXPECT_EQ(read(taken), ours);
  EXPECT_EQ(machine.merges(), 0u);
  commit_all();
}

TEST_P(RenameFlags, of_two_sides_are_merged_once_where_they_have_met_and_are_read) {
  const PathId taken = machine.diverge(all), other = machine.resolve(taken, 0b0011);
  write(taken);
  write(other);
  const PathId met = machine.converge(taken, other);
  const PhysicalRegister merged = read(met);
  EXPECT_EQ(machine.merges(), 1u);
  EXPECT_EQ(read(met), merged);
  EXPECT_EQ(machine.merges(), 1u);
  commit_all();
}

TEST_P(RenameFlags, that_are_written_where_two_sides_have_met_need_no_merge) {
  const PathId taken = machine.diverge(all), other = machine.resolve(taken, 0b0011);
  write(taken);
  write(other);
  const PathId met = machine.converge(taken, other);
  const PhysicalRegister written = write(met);
  EXPECT_EQ(read(met), written);
  EXPECT_EQ(machine.merges(), 0u);
  commit_all();
}

// p16 of lane 0, what lane 1 wrote, what lanes 2 and 3 wrote: two merges, oldest first.
TEST_P(RenameFlags, in_three_versions_take_two_merges) {
  const PathId high = machine.diverge(all), low = machine.resolve(high, 0b1100);
  const PhysicalRegister of_high = write(high);
  const PathId one = machine.diverge(low), zero = machine.resolve(one, 0b0010);
  const PhysicalRegister of_one = write(one);
  const PathId met = machine.converge(machine.converge(zero, one), high);
  read(met);
  ASSERT_EQ(machine.merges(), 2u);
  const auto newest = machine.in_flight().rbegin();
  EXPECT_EQ(newest[2].merge.main(), 16);
  EXPECT_EQ(newest[2].merge.leading(), of_high);
  EXPECT_EQ(newest[1].merge.main(), newest[2].merge.renaming.physical);
  EXPECT_EQ(newest[1].merge.leading(), of_one);
  commit_all();
}

TEST_P(RenameFlags, that_no_lane_reads_any_more_are_released) {
  const PathId taken = machine.diverge(all), other = machine.resolve(taken, 0b0011);
  write(taken);
  write(other);
  commit_all();
  write(taken);
  commit_all();
  EXPECT_EQ(machine.free().available(RegisterClass::Flags), kFlagRegisters - 2);  // one of each side
  machine.end(other);
  commit_all();
  write(taken);
  commit_all();
  EXPECT_EQ(machine.free().available(RegisterClass::Flags), kFlagRegisters - 1);
}

TEST_P(RenameFlags, are_as_before_when_their_writers_are_taken_back) {
  const PathId taken = machine.diverge(all), other = machine.resolve(taken, 0b0011);
  const PhysicalRegister ours = write(taken), theirs = write(other);
  const std::string before = machine.strategy().table().describe();
  write(taken);
  write(other);
  read(machine.converge(taken, other));
  machine.squash(4);
  EXPECT_EQ(machine.strategy().table().describe(), before);
  EXPECT_EQ(read(taken), ours);
  EXPECT_EQ(read(other), theirs);
  commit_all();
}

TEST_P(RenameFlags, wait_for_a_register_if_none_is_free) {
  const PathId taken = machine.diverge(all);
  machine.strategy().begin_block();
  for (unsigned i = 1; i < kFlagRegisters; ++i) EXPECT_EQ(machine.rename(taken, {}, {kFlags}), RenameOutcome::Renamed);
  EXPECT_EQ(machine.rename(taken, {}, {kFlags}), RenameOutcome::NoFreeRegister);
  EXPECT_EQ(machine.rename(taken, {kFlags}, {}), RenameOutcome::Renamed);
}

INSTANTIATE_TEST_SUITE_P(Every, RenameFlags, ::testing::Values("pirat", "rat", "free-merge", "pirat-rewrite"),
                         [](const auto& info) {
                           std::string name(info.param);
                           for (char& letter : name)
                             if (letter == '-') letter = '_';
                           return name;
                         });

// A temporary is dead behind its instruction, a register is not.
TEST(RenameTemporaries, are_replaced_by_every_write) {
  PathTable paths({4, 10});
  FreeList free(40, 40, 8);
  Pirat table(paths, free);
  const PathId path = paths.start(0b0001);
  paths.start(0b1110);
  table.divergence_predicted();
  for (const x86::RegisterId temporary : {x86::kTemporary, static_cast<x86::RegisterId>(x86::kTemporary + 1)}) {
    EXPECT_EQ(table.rule(temporary, 0b0001), WriteRule::ReplaceAll);
    table.commit(table.write(temporary, path, WriteRule::ReplaceAll));
    EXPECT_EQ(table.source(temporary, 0b0001), SourceMapping::Main);
  }
  EXPECT_EQ(table.rule(x86::kVector, 0b0001), WriteRule::ReplaceLeading);
  EXPECT_EQ(free.available(RegisterClass::Vector), 40u - 19);  // each write has released the one before
}

}  // namespace rename_flags_test
}  // namespace warpfork::ooo
