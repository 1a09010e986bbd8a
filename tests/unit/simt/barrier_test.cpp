// What threads bring to a barrier and take from it; expected values by hand from PTX ISA, "bar, barrier".
#include "simt/barrier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "one_warp.h"

namespace warpfork::simt {
namespace barrier_test {

using testing::HasSubstr;

/// The instruction of a body that has only one, as lanes 0 to 7 come to it.
BarrierArrival arrival(OneWarp& warp) { return arrival_of(warp.program().code[0], warp.warp(), RowLanes(0xff)); }

std::string complaint(OneWarp& warp) {
  try {
    arrival(warp);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Barrier, number_and_threads_may_lie_in_registers) {
  OneWarp warp("bar.sync %r1, %r2;");
  warp.set("%r1", 7);
  warp.set("%r2", 32);
  EXPECT_EQ(arrival(warp).number, 7u);
  EXPECT_EQ(arrival(warp).threads, 0u);  // all of a block of 32
}

TEST(Barrier, the_predicate_of_a_reduction_may_be_negated) {
  OneWarp plain("bar.red.popc.u32 %r0, 1, %p0;"), negated("bar.red.popc.u32 %r0, 1, !%p0;");
  for (OneWarp* warp : {&plain, &negated}) warp->set_predicate("%p0", RowLanes(0xf0f));
  EXPECT_EQ(arrival(plain).yes, RowLanes(0x0f));
  EXPECT_EQ(arrival(negated).yes, RowLanes(0xf0));
}

TEST(Barrier, results_go_to_the_lanes_that_waited) {
  OneWarp warp("bar.red.popc.u32 %r0, 1, %p0;\nbar.red.and.pred %p1, 1, %p0;\nbar.red.or.pred %p2, 1, %p0;");
  const auto& code = warp.program().code;
  warp.set("%r0", 99);
  warp.set_predicate("%p1", RowLanes(0x11));
  for (unsigned i = 0; i < 3; ++i) write_reduction(code[i], warp.warp(), RowLanes(0x0f), 5, 6);
  EXPECT_EQ(warp.lane("%r0", 3), 5u);
  EXPECT_EQ(warp.lane("%r0", 4), 99u);
  EXPECT_EQ(warp.predicate("%p1"), RowLanes(0x10));  // 5 of 6 are not all
  EXPECT_EQ(warp.predicate("%p2"), RowLanes(0x0f));
  write_reduction(code[1], warp.warp(), RowLanes(0x0f), 6, 6);
  EXPECT_EQ(warp.predicate("%p1"), RowLanes(0x1f));
  write_reduction(code[2], warp.warp(), RowLanes(0x03), 0, 6);
  EXPECT_EQ(warp.predicate("%p2"), RowLanes(0x0c));
}

TEST(Barrier, bad_registers_are_errors_that_name_the_thread) {
  OneWarp warp("bar.sync %r1, %r2;");
  warp.set("%r1", 16);
  warp.set("%r2", 32);
  EXPECT_THAT(complaint(warp), HasSubstr("thread (0,0,0) of block (0,0,0): there is no barrier 16"));
  EXPECT_THAT(complaint(warp), HasSubstr("instruction 0: bar.sync\n    barriers 0 to 15 are allowed"));
  warp.set("%r1", 15);
  EXPECT_EQ(complaint(warp), "no error");
  for (const unsigned threads : {0u, 31u, 64u}) {
    warp.set("%r2", threads);
    EXPECT_THAT(complaint(warp), HasSubstr("a barrier for " + std::to_string(threads) + " threads"));
    EXPECT_THAT(complaint(warp), HasSubstr("a multiple of 32 up to 32 is allowed in a block of 32 threads"));
  }
}

TEST(Barrier, the_threads_of_a_warp_must_agree) {
  OneWarp warp("bar.sync %r1, 32;");
  Lanes32 numbers{};
  numbers[6] = 1;
  warp.set("%r1", numbers);
  EXPECT_THAT(complaint(warp), HasSubstr("thread (6,0,0) of block (0,0,0): 1 here, 0 in another thread of its warp"));
}

TEST(Barrier, only_the_threads_that_come_need_to_agree) {
  OneWarp warp("bar.sync %r1, %r2;");
  Lanes32 numbers{}, threads;
  threads.fill(32);
  numbers[8] = 3;  // lanes 0 to 7 come
  threads[8] = 7;
  warp.set("%r1", numbers);
  warp.set("%r2", threads);
  EXPECT_EQ(complaint(warp), "no error");
  threads[7] = 64;
  warp.set("%r2", threads);
  EXPECT_THAT(complaint(warp), HasSubstr("thread (7,0,0) of block (0,0,0): 64 here, 32 in another thread of its warp"));
}

TEST(Barrier, one_that_is_no_reduction_asks_nobody) {
  OneWarp sync("bar.sync 3;"), arrive("bar.arrive 15, 32;");
  for (OneWarp* warp : {&sync, &arrive}) EXPECT_TRUE(arrival(*warp).yes.none());
  EXPECT_FALSE(is_reduction(sync.program().code[0]));
  EXPECT_FALSE(is_reduction(arrive.program().code[0]));
  EXPECT_EQ(arrival(sync).number, 3u);
  EXPECT_EQ(arrival(arrive).number, 15u);
}

// .and: the predicate of all threads, .or: of any thread.
TEST(Barrier, reductions_part_at_none_one_and_all) {
  for (const auto& [yes, all, any] : {std::tuple{0u, false, false}, {1u, false, true}, {6u, true, true}}) {
    OneWarp warp("bar.red.and.pred %p1, 1, %p0;\nbar.red.or.pred %p2, 1, %p0;\nbar.red.popc.u32 %r0, 1, %p0;");
    for (unsigned i = 0; i < 3; ++i) write_reduction(warp.program().code[i], warp.warp(), RowLanes(0x80), yes, 6);
    EXPECT_EQ(warp.predicate("%p1"), RowLanes(all ? 0x80 : 0)) << yes;
    EXPECT_EQ(warp.predicate("%p2"), RowLanes(any ? 0x80 : 0)) << yes;
    EXPECT_EQ(warp.lane("%r0", 7), yes);
  }
}

}  // namespace barrier_test
}  // namespace warpfork::simt
