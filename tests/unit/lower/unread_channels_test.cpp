// Which results of texture instructions are left out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace unread_channels_test {

using testing::Contains;

const std::string kRead = "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];\n";

TEST(UnreadChannels, channels_that_nothing_reads_are_not_written) {
  EXPECT_THAT(lowered_lines(kRead + "add.f32 %f5, %f1, %f3;\nst.global.f32 [64], %f5;\nret;"),
              Contains("tex.1d.v4.f32.s32 {%f1, _, %f3, _}, [%rd1, {%r1}];"));
}

TEST(UnreadChannels, what_is_written_anew_before_it_is_read_is_left_out) {
  EXPECT_THAT(lowered_lines(kRead + "mov.f32 %f2, %f1;\nst.global.v2.f32 [64], {%f1, %f2};\nret;"),
              Contains("tex.1d.v4.f32.s32 {%f1, _, _, _}, [%rd1, {%r1}];"));
}

TEST(UnreadChannels, what_is_read_on_any_way_stays) {
  EXPECT_THAT(lowered_lines(kRead + "@%p1 bra END;\nst.global.f32 [64], %f4;\nEND:\nret;"),
              Contains("tex.1d.v4.f32.s32 {_, _, _, %f4}, [%rd1, {%r1}];"));
}

TEST(UnreadChannels, a_write_under_a_guard_leaves_the_value_alive) {
  EXPECT_THAT(lowered_lines(kRead + "@%p1 mov.f32 %f2, %f1;\nst.global.f32 [64], %f2;\nret;"),
              Contains("tex.1d.v4.f32.s32 {%f1, %f2, _, _}, [%rd1, {%r1}];"));
}

TEST(UnreadChannels, loads_of_memory_keep_theirs) {
  EXPECT_THAT(lowered_lines("ld.global.v2.f32 {%f1, %f2}, [64];\nst.global.f32 [64], %f1;\nret;"),
              Contains("ld.global.v2.f32 {%f1, %f2}, [64];"));
}

}  // namespace unread_channels_test
}  // namespace warpfork::lower
