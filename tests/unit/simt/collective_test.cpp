// Instructions in which lanes see one another (PTX ISA, "vote", "shfl", "match", "redux", "activemask", "elect").
#include <gtest/gtest.h>

#include "one_warp.h"

namespace warpfork::simt {
namespace collective_test {

Lanes32 lane_numbers() {
  Lanes32 values;
  for (unsigned lane = 0; lane < 32; ++lane) values[lane] = lane;
  return values;
}

TEST(Collective, votes_count_active_lanes_only) {
  OneWarp warp(
      "vote.sync.all.pred %p1, %p0, -1;\nvote.sync.any.pred %p2, %p0, -1;\nvote.sync.uni.pred %p3, %p0, -1;\n"
      "vote.sync.ballot.b32 %r0, %p0, -1;\nvote.ballot.b32 %r1, !%p0;\nactivemask.b32 %r2;");
  warp.set_predicate("%p0", RowLanes(0xff0f));
  warp.warp().live = RowLanes(0x00ff);
  warp.run(RowLanes(0x00ff));
  EXPECT_TRUE(warp.predicate("%p1").none());
  EXPECT_EQ(warp.predicate("%p2"), RowLanes(0x00ff));
  EXPECT_TRUE(warp.predicate("%p3").none());
  EXPECT_EQ(warp.lane("%r0", 0), 0x000fu);
  EXPECT_EQ(warp.lane("%r1", 7), 0x00f0u);
  EXPECT_EQ(warp.lane("%r2", 3), 0x00ffu);
  EXPECT_EQ(warp.lane("%r2", 8), 0u);
}

TEST(Collective, shuffles_reach_other_lanes_within_their_segment) {
  OneWarp warp(
      "shfl.sync.up.b32 %r1|%p1, %r0, 1, 0, -1;\nshfl.sync.down.b32 %r2|%p2, %r0, 2, 31, -1;\n"
      "shfl.sync.bfly.b32 %r3, %r0, 16, 31, -1;\nshfl.sync.idx.b32 %r4|%p4, %r0, 3, 0x181f, -1;\n"
      "shfl.idx.b32 %r0, %r0, 0, 31;");
  warp.set("%r0", lane_numbers());
  warp.run();
  EXPECT_EQ(warp.lane("%r1", 0), 0u);
  EXPECT_EQ(warp.lane("%r1", 9), 8u);
  EXPECT_EQ(warp.predicate("%p1"), RowLanes(0xfffffffe));
  EXPECT_EQ(warp.lane("%r2", 31), 31u);
  EXPECT_EQ(warp.lane("%r2", 29), 31u);
  EXPECT_EQ(warp.predicate("%p2"), RowLanes(0x3fffffff));
  EXPECT_EQ(warp.lane("%r3", 5), 21u);
  EXPECT_EQ(warp.lane("%r4", 13), 11u);  // segments of eight: the fourth lane of the second
  EXPECT_EQ(warp.lane("%r0", 31), 0u);   // the destination may be the source
}

TEST(Collective, matches_and_reductions) {
  OneWarp warp(
      "and.b32 %r1, %r0, 1;\nmatch.any.sync.b32 %r2, %r1, -1;\nmatch.all.sync.b32 %r3|%p0, %r1, -1;\n"
      "redux.sync.add.u32 %r4, %r0, -1;\nredux.sync.max.s32 %r5, %r0, -1;\nelect.sync %r6|%p1, -1;");
  warp.set("%r0", lane_numbers());
  warp.warp().live = RowLanes(0xf0);
  warp.run(RowLanes(0xf0));
  EXPECT_EQ(warp.lane("%r2", 4), 0x50u);
  EXPECT_EQ(warp.lane("%r2", 5), 0xa0u);
  EXPECT_EQ(warp.lane("%r3", 5), 0u);
  EXPECT_TRUE(warp.predicate("%p0").none());
  EXPECT_EQ(warp.lane("%r4", 6), 4u + 5 + 6 + 7);
  EXPECT_EQ(warp.lane("%r5", 6), 7u);
  EXPECT_EQ(warp.lane("%r6", 6), 4u);
  EXPECT_EQ(warp.predicate("%p1"), RowLanes(0x10));
}

// A mirrored warp: lanes 4 to 7 have threads 27 to 24.
TEST(Collective, lanes_are_named_by_the_numbers_of_their_threads) {
  OneWarp warp(
      "vote.sync.ballot.b32 %r1, %p0, 0x0f000000;\nactivemask.b32 %r2;\nshfl.sync.up.b32 %r3|%p1, %r0, 1, 0, "
      "0x0f000000;\n"
      "match.all.sync.b32 %r4, %r5, 0x0f000000;\nelect.sync %r6|%p2, 0x0f000000;");
  warp.set("%r0", lane_numbers());
  warp.set_predicate("%p0", RowLanes(0x30));
  warp.warp().lane_key = 31;
  warp.warp().live = RowLanes(0xf0);
  warp.run(RowLanes(0xf0));
  EXPECT_EQ(warp.lane("%r1", 5), 0x0c000000u);
  EXPECT_EQ(warp.lane("%r2", 5), 0x0f000000u);
  EXPECT_EQ(warp.lane("%r3", 5), 6u);  // thread 26 reads of 25
  EXPECT_EQ(warp.lane("%r3", 7), 0u);  // 24 of 23, which is not there
  EXPECT_EQ(warp.lane("%r4", 4), 0x0f000000u);
  EXPECT_EQ(warp.lane("%r6", 4), 24u);
  EXPECT_EQ(warp.predicate("%p2"), RowLanes(0x80));
}

TEST(Collective, special_registers_name_the_thread) {
  OneWarp warp(
      "mov.u32 %r1, %laneid;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %lanemask_lt;\nmov.u32 %r4, %tid.x;\n"
      "mov.u32 %r6, %ctaid.y;\nadd.u32 %r4, %r4, %r6;\nmov.u64 %d1, %clock64;\nmov.u32 %r5, %nctaid.x;");
  warp.warp().clock = 77;
  warp.run();
  EXPECT_EQ(warp.lanes("%r1"), lane_numbers());
  EXPECT_EQ(warp.lane("%r2"), 32u);
  EXPECT_EQ(warp.lane("%r3", 5), 0x1fu);
  EXPECT_EQ(warp.lane("%r4", 5), 5u);
  EXPECT_EQ(warp.lane64("%d1"), 77u);
  EXPECT_EQ(warp.lane("%r5"), 1u);
}

}  // namespace collective_test
}  // namespace warpfork::simt
