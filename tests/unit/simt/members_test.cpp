// Member masks of .sync instructions (PTX ISA, "bar.warp.sync", "vote.sync", "shfl.sync", "match.sync", "redux.sync",
// "elect.sync"): what a result depends on must be there (docs/adr/0017).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "one_warp.h"

namespace warpfork::simt {
namespace members_test {

using testing::AllOf;
using testing::HasSubstr;

/// The error that lanes 0 to 15 meet in the body while 16 to 31 run elsewhere; %r1 holds the lane's number.
std::string error_of_lower_half(const std::string& body) {
  OneWarp warp("mov.u32 %r1, %laneid;\nmov.u32 %r9, 5;\n" + body);
  try {
    warp.run(RowLanes(0x0000ffff));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Members, a_live_one_that_runs_elsewhere_is_an_error_with_threads_line_and_remedy) {
  EXPECT_THAT(
      error_of_lower_half("vote.sync.ballot.b32 %r0, 1, 0xffffffff;"),
      AllOf(HasSubstr("test.ptx:"), HasSubstr(": error: kernel 'kernel', thread (0,0,0) of block (0,0,0): "),
            HasSubstr("its member mask 0xffffffff names thread (16,0,0) of its warp, which does not execute it"),
            HasSubstr("vote.sync.ballot.b32"), HasSubstr("behind it, where they meet again")));
}

TEST(Members, are_named_by_the_numbers_of_their_threads_whatever_lanes_they_have) {
  OneWarp warp("bar.warp.sync 0xffff0000;\nbar.warp.sync 0xfffffffe;");
  warp.warp().lane_key = 31;  // lanes 0 to 15 have threads 31 to 16
  EXPECT_THAT([&] { warp.run(RowLanes(0x0000ffff)); },
              testing::ThrowsMessage<Error>(
                  AllOf(HasSubstr("instruction 1: bar.warp.sync"), HasSubstr("thread (31,0,0) of block"),
                        HasSubstr("its member mask 0xfffffffe names thread (15,0,0) of its warp"))));
}

TEST(Members, every_instruction_but_shfl_depends_on_all_of_them) {
  for (const char* body :
       {"bar.warp.sync -1;", "vote.sync.all.pred %p0, %p1, -1;", "match.any.sync.b32 %r0, %r1, -1;",
        "match.all.sync.b64 %r0|%p0, %d1, -1;", "redux.sync.add.u32 %r0, %r1, -1;", "elect.sync %r0|%p0, -1;"})
    EXPECT_THAT(error_of_lower_half(body), HasSubstr("names thread (16,0,0)")) << body;
  for (const char* body : {"bar.warp.sync 0xffff;", "vote.sync.all.pred %p0, %p1, 0xffff;",
                           "match.any.sync.b32 %r0, %r1, 0xffff;", "match.all.sync.b64 %r0|%p0, %d1, 0xffff;",
                           "redux.sync.add.u32 %r0, %r1, 0xffff;", "elect.sync %r0|%p0, 0xffff;"})
    EXPECT_EQ(error_of_lower_half(body), "no error") << body;
}

TEST(Members, those_whose_guard_is_false_do_not_execute_it) {
  EXPECT_THAT(error_of_lower_half("setp.lt.u32 %p0, %r1, 4;\n@%p0 bar.warp.sync 0xffff;"),
              HasSubstr("names thread (4,0,0)"));
  EXPECT_EQ(error_of_lower_half("setp.lt.u32 %p0, %r1, 4;\n@%p0 bar.warp.sync 0xf;"), "no error");
}

TEST(Members, those_that_have_exited_are_not_missed) {
  OneWarp warp("vote.sync.ballot.b32 %r0, 1, 0xffffffff;\nshfl.sync.down.b32 %r2, %r1, 8, 31, -1;");
  warp.set("%r1", 5);
  warp.warp().live = RowLanes(0x0000ffff);
  warp.run(RowLanes(0x0000ffff));
  EXPECT_EQ(warp.lane("%r0", 3), 0x0000ffffu);
  EXPECT_EQ(warp.lane("%r2", 7), 5u);
  EXPECT_EQ(warp.lane("%r2", 8), 0u);  // lane 16 has exited
}

TEST(Members, lanes_of_several_masks_in_one_split_keep_to_themselves) {
  OneWarp warp(
      "mov.u32 %r1, %laneid;\nand.b32 %r2, %r1, 1;\nsetp.eq.u32 %p0, %r2, 0;\n"
      "selp.b32 %r3, 0x55555555, 0xaaaaaaaa, %p0;\nredux.sync.add.u32 %r4, %r1, %r3;\n"
      "vote.sync.ballot.b32 %r3, 1, %r3;");  // the mask's register may be the destination
  warp.run();
  EXPECT_EQ(warp.lane("%r4", 0), 240u);  // 0 + 2 + … + 30
  EXPECT_EQ(warp.lane("%r4", 31), 256u);
  EXPECT_EQ(warp.lane("%r3", 6), 0x55555555u);
  EXPECT_EQ(warp.lane("%r3", 7), 0xaaaaaaaau);
}

TEST(Members, a_thread_must_be_in_its_own_mask) {
  EXPECT_THAT(error_of_lower_half("bar.warp.sync 0xfffe;"),
              AllOf(HasSubstr("thread (0,0,0)"), HasSubstr("its member mask 0x0000fffe does not name it")));
  EXPECT_THAT(error_of_lower_half("shfl.sync.idx.b32 %r0, %r1, 1, 31, 0x7fff;"),
              AllOf(HasSubstr("thread (15,0,0)"), HasSubstr("does not name it")));
}

TEST(Members, those_of_one_mask_must_give_the_same) {
  EXPECT_THAT(error_of_lower_half("setp.eq.u32 %p0, %r1, 7;\nselp.b32 %r2, 0x80, 0xffff, %p0;\nbar.warp.sync %r2;"),
              HasSubstr("its member mask 0x0000ffff names thread (7,0,0) of its warp, which gives another mask"));
}

TEST(Members, a_shuffle_depends_on_its_source_only) {
  EXPECT_EQ(error_of_lower_half("shfl.sync.bfly.b32 %r0, %r1, 1, 31, 0xffffffff;"), "no error");
  EXPECT_THAT(error_of_lower_half("shfl.sync.down.b32 %r0, %r1, 8, 31, 0xffffffff;"),
              AllOf(HasSubstr("thread (8,0,0) of block"), HasSubstr("it reads from thread (16,0,0) of its warp"),
                    HasSubstr("0xffffffff")));
}

// PTX leaves it open; hardware is reported to give 0.
TEST(Members, a_shuffle_from_a_lane_that_is_neither_active_nor_a_member_gives_zero) {
  OneWarp warp("shfl.sync.down.b32 %r0, %r1, 16, 31, 0x0000ffff;\nshfl.down.b32 %r2, %r1, 16, 31;");
  warp.set("%r0", 7);
  warp.set("%r2", 7);
  warp.set("%r1", 5);
  warp.run(RowLanes(0x0000ffff));
  EXPECT_EQ(warp.lane("%r0", 0), 0u);
  EXPECT_EQ(warp.lane("%r2", 0), 0u);
  EXPECT_EQ(warp.lane("%r0", 16), 7u);
}

TEST(Members, the_mask_belongs_to_sync) {
  for (const char* body : {"vote.sync.all.pred %p0, %p1;", "vote.all.pred %p0, %p1, -1;",
                           "shfl.idx.b32 %r0, %r1, 0, 31, -1;", "match.any.b32 %r0, %r1, -1;"})
    EXPECT_THROW(OneWarp warp(body), Error) << body;
}

}  // namespace members_test
}  // namespace warpfork::simt
