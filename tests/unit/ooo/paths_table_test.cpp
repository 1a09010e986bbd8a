// The Pathtable: who stays, who leaves, when entries are evicted, and what is taken back.
#include <gtest/gtest.h>

#include "base/error.h"
#include "ooo/paths/path_table.h"

namespace warpfork::ooo {
namespace paths_table_test {

Divergence diverge(PathTable& paths, PathId from) { return {from, paths.predict_divergence(from), kNoPath}; }

TEST(PathTable, a_path_stays_until_the_last_reference_is_gone) {
  PathTable paths({4, 8});
  Divergence branch = diverge(paths, paths.start(0b1111));
  paths.reference(branch.from);
  paths.resolve(branch, 0b0011);
  paths.commit(branch);
  EXPECT_TRUE(paths.exists(branch.from));
  paths.dereference(branch.from);
  EXPECT_FALSE(paths.exists(branch.from));
}

TEST(PathTable, an_uncommitted_path_without_lanes_stays) {
  PathTable paths({4, 8});
  Divergence branch = diverge(paths, paths.start(0b1111));
  paths.resolve(branch, 0);
  EXPECT_TRUE(paths.exists(branch.created));
  EXPECT_FALSE(paths.scheduled(branch.created));
  paths.commit(branch);
  EXPECT_FALSE(paths.exists(branch.created));
  EXPECT_EQ(paths.mask(branch.alternate), 0b1111u);
}

// h1 leaves lanes 2 and 3; h2 was made from h1, h3 from h2 and the path of lane 4, which keeps it.
TEST(PathTable, lanes_leave_through_convergence) {
  PathTable paths({5, 8});
  Divergence first = diverge(paths, paths.start(0b01111));
  const PathId other = paths.start(0b10000);
  Divergence second = diverge(paths, first.created);
  const PathId joined = paths.predict_convergence(second.created, other);
  EXPECT_EQ(paths.mask(joined), 0b11111u);
  paths.resolve(first, 0b00011);
  EXPECT_EQ(paths.mask(second.created), 0b00011u);
  EXPECT_EQ(paths.mask(joined), 0b10011u);
  EXPECT_EQ(paths.mask(other), 0b10000u);
  EXPECT_EQ(paths.mask(first.alternate), 0b01100u);
}

TEST(PathTable, a_wrong_direction_nullifies_descendants) {
  PathTable paths({4, 8});
  Divergence first = diverge(paths, paths.start(0b1111)), second = diverge(paths, first.created);
  paths.resolve(first, 0);
  EXPECT_EQ(paths.mask(second.created), 0u);
  EXPECT_FALSE(paths.scheduled(second.created));
  paths.resolve(second, 0);
  EXPECT_EQ(second.alternate, kNoPath);
}

TEST(PathTable, an_alternate_path_keeps_its_lanes_when_an_older_entry_resolves) {
  PathTable paths({4, 8});
  Divergence first = diverge(paths, paths.start(0b1111)), second = diverge(paths, first.created);
  paths.resolve(first, 0b0111);
  paths.resolve(second, 0b0001);  // older than first.alternate
  EXPECT_EQ(paths.mask(first.alternate), 0b1000u);
}

TEST(PathTable, branches_resolve_after_the_path_they_are_on) {
  PathTable paths({4, 8});
  Divergence first = diverge(paths, paths.start(0b1111)), second = diverge(paths, first.created);
  EXPECT_THROW(paths.resolve(second, 0b1111), InvariantError);
  paths.resolve(first, 0b1111);
  paths.resolve(second, 0b1111);
  EXPECT_TRUE(paths.resolved(second.created));
}

// 8 entries: h0, three new paths, and one kept for the alternate path of each; a fourth needs nine.
TEST(PathTable, every_unresolved_branch_keeps_an_entry) {
  PathTable paths({4, 8});
  Divergence first = diverge(paths, paths.start(0b1111)), second = diverge(paths, first.created);
  const Divergence third = diverge(paths, second.created);
  EXPECT_EQ(paths.predict_divergence(third.created), kNoPath);
  EXPECT_TRUE(paths.scheduled(third.created));
  paths.resolve(first, 0b1111);
  EXPECT_NE(paths.predict_divergence(third.created), kNoPath);
}

TEST(PathTable, no_more_alternates_than_lanes_are_expected) {
  PathTable paths({1, 8});  // h0, six new paths, one alternate
  PathId path = paths.start(1);
  for (unsigned i = 0; i < 6; ++i) path = paths.predict_divergence(path);
  EXPECT_NE(path, kNoPath);
  EXPECT_EQ(paths.predict_divergence(path), kNoPath);
}

TEST(PathTable, undo_schedules_the_path_before) {
  PathTable paths({4, 8});
  const PathId start = paths.start(0b1111);
  Divergence branch = diverge(paths, start);
  paths.resolve(branch, 0b0001);
  const Convergence meeting{branch.created, branch.alternate,
                            paths.predict_convergence(branch.created, branch.alternate)};
  paths.undo(meeting);
  EXPECT_TRUE(paths.scheduled(branch.created) && paths.scheduled(branch.alternate));
  paths.undo(branch);
  EXPECT_TRUE(paths.scheduled(start));
  EXPECT_EQ(paths.mask(start), 0b1111u);
  EXPECT_EQ(paths.references(start), 0u);
  EXPECT_EQ(paths.used(), 1u);
}

TEST(PathTable, a_branch_that_is_undone_keeps_no_entry) {
  PathTable paths({4, 6});
  const PathId start = paths.start(0b1111);
  for (unsigned i = 0; i < 8; ++i) paths.undo(diverge(paths, start));
  EXPECT_NE(paths.predict_divergence(paths.predict_divergence(start)), kNoPath);
}

TEST(PathTable, undo_does_not_schedule_a_path_that_was_nullified) {
  PathTable paths({4, 8});
  Divergence first = diverge(paths, paths.start(0b1111));
  const Divergence second = diverge(paths, first.created);
  paths.resolve(first, 0);
  paths.undo(second);
  EXPECT_FALSE(paths.scheduled(first.created));
}

TEST(PathTable, threads_that_end_leave_nothing) {
  PathTable paths({4, 8});
  const PathId path = paths.start(0b1111);
  paths.end(path);
  EXPECT_TRUE(paths.exists(path));
  paths.undo_end(path);
  EXPECT_TRUE(paths.scheduled(path));
  paths.end(path);
  paths.reference(path);
  paths.dereference(path);  // the last but one of its instructions commits
  EXPECT_TRUE(paths.exists(path));
  paths.commit_end(path);
  EXPECT_EQ(paths.used(), 0u);
}

TEST(PathTable, is_refused_when_too_small) {
  EXPECT_THROW(PathTable({4, 5}), Error);
  EXPECT_NO_THROW(PathTable({4, 6}));
  EXPECT_NO_THROW(PathTable({64, 66}));
  EXPECT_THROW(PathTable({65, 128}), Error);
}

TEST(PathTable, holds_a_warp_of_64_lanes) {
  PathTable paths({64, 128});
  Divergence branch = diverge(paths, paths.start(~LaneMask{0}));
  paths.resolve(branch, LaneMask{1} << 63);
  EXPECT_EQ(paths.mask(branch.alternate), ~LaneMask{0} >> 1);
}

}  // namespace paths_table_test
}  // namespace warpfork::ooo
