// What moves and what is repeated so that fewer registers are alive at once, and what stays.
#include "lower/code_motion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/liveness.h"
#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace code_motion_test {

using testing::ElementsAre;

ptx::Function shortened(const std::string& body, unsigned enough = 0) {
  ptx::Function function = lowered(body);
  shorten_lives(function, enough);
  return function;
}

unsigned alive(const ptx::Function& function) {
  return analysis::max_live_registers(function, analysis::ControlFlowGraph(function));
}

// %r1 waits while two values are loaded and stored.
const std::string kWaits =
    "mov.u32 %r1, 7;\nld.global.v2.u32 {%r2, %r3}, [64];\nst.global.v2.u32 [64], {%r2, %r3};\nst.global.u32 [72], "
    "%r1;\nret;";

TEST(ShortenLives, moves_a_definition_down_to_its_use) {
  EXPECT_THAT(lines(shortened(kWaits)),
              ElementsAre("ld.global.v2.u32 {%r2, %r3}, [64];", "st.global.v2.u32 [64], {%r2, %r3};", "mov.u32 %r1, 7;",
                          "st.global.u32 [72], %r1;", "ret;"));
}

TEST(ShortenLives, moves_nothing_where_there_are_enough_registers) {
  EXPECT_EQ(lines(shortened(kWaits, 3)), lowered_lines(kWaits));
  EXPECT_NE(lines(shortened(kWaits, 2)), lowered_lines(kWaits));
}

TEST(ShortenLives, leaves_loads_which_hide_their_latency) {
  std::string loaded = kWaits;
  loaded.replace(0, 15, "ld.global.u32 %r1, [80];");
  EXPECT_EQ(lines(shortened(loaded)), lowered_lines(loaded));
}

TEST(ShortenLives, leaves_what_would_read_another_value_there) {
  const std::string body =
      "ld.global.u32 %r4, [64];\nadd.u32 %r1, %r4, 1;\nld.global.v2.u32 {%r4, %r3}, [64];\n"
      "st.global.v2.u32 [64], {%r4, %r3};\nst.global.u32 [72], %r1;\nret;";
  EXPECT_EQ(lines(shortened(body)), lowered_lines(body));
}

TEST(ShortenLives, leaves_what_would_read_another_value_there_though_it_is_wider_than_its_operand) {
  const std::string body =
      "ld.global.u32 %r4, [64];\nmul.wide.u32 %rd1, %r4, 4;\nld.global.v2.u32 {%r4, %r3}, [64];\n"
      "st.global.v2.u32 [64], {%r4, %r3};\nst.global.u64 [72], %rd1;\nst.global.u32 [80], %r4;\nret;";
  EXPECT_EQ(lines(shortened(body)), lowered_lines(body));
}

TEST(ShortenLives, moves_nothing_into_a_loop) {
  // %r1 and %r5 wait while two values are loaded and stored; one of them has to make room.
  const std::string body =
      "mov.u32 %r1, %tid.x;\nmov.u32 %r5, 7;\nld.global.v2.u32 {%r2, %r3}, [64];\n"
      "st.global.v2.u32 [64], {%r2, %r3};\nst.global.u32 [72], %r5;\n"
      "L:\nst.global.u32 [76], %r1;\nld.global.u32 %r4, [80];\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra L;\nret;";
  const ptx::Function moved = shortened(body, 3);
  EXPECT_EQ(alive(moved), 3u);
  EXPECT_EQ(lines(moved)[0], "mov.u32 %r1, %tid.x;");
}

TEST(ShortenLives, leaves_what_would_only_make_its_operand_wait_instead) {
  const std::string body =
      "ld.global.u32 %r4, [64];\nadd.u32 %r1, %r4, 1;\nld.global.v2.u32 {%r2, %r3}, [64];\n"
      "st.global.v2.u32 [64], {%r2, %r3};\nst.global.u32 [72], %r1;\nret;";
  EXPECT_EQ(lines(shortened(body)), lowered_lines(body));
}

TEST(ShortenLives, moves_what_is_wider_than_its_operand) {
  const std::string body =
      "ld.global.u32 %r4, [64];\nmul.wide.u32 %rd1, %r4, 4;\nld.global.v2.u32 {%r2, %r3}, [64];\n"
      "st.global.v2.u32 [64], {%r2, %r3};\nst.global.u64 [72], %rd1;\nret;";
  EXPECT_EQ(alive(lowered(body)), 4u);
  EXPECT_EQ(alive(shortened(body)), 3u);
}

TEST(ShortenLives, moves_a_parameter_together_with_the_address_that_is_made_of_it) {
  const std::string body =
      "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\nld.global.v2.u32 {%r2, %r3}, [64];\n"
      "st.global.v2.u32 [64], {%r2, %r3};\nst.global.u32 [%rd2], 1;\nret;";
  EXPECT_THAT(
      lines(shortened(body)),
      ElementsAre("ld.global.v2.u32 {%r2, %r3}, [64];", "st.global.v2.u32 [64], {%r2, %r3};", "ld.param.u64 %rd1, [p];",
                  "cvta.to.global.u64 %rd2, %rd1;", "st.global.u32 [%rd2], 1;", "ret;"));
}

TEST(ShortenLives, repeats_a_constant_on_either_side_of_a_crowd) {
  const std::string body = "mov.u32 %r1, 7;\nst.global.u32 [68], %r1;\n" + kWaits.substr(16);
  EXPECT_EQ(alive(lowered(body)), 3u);
  const ptx::Function repeated = shortened(body);
  EXPECT_EQ(alive(repeated), 2u);
  EXPECT_THAT(lines(repeated),
              ElementsAre("mov.u32 %r1, 7;", "st.global.u32 [68], %r1;", "ld.global.v2.u32 {%r2, %r3}, [64];",
                          "st.global.v2.u32 [64], {%r2, %r3};", "mov.u32 %r1, 7;", "st.global.u32 [72], %r1;", "ret;"));
}

TEST(ShortenLives, repeats_what_costs_more_where_an_operand_is_gone) {
  // To repeat %r1 would cost one instruction, but keep %r4 alive; %r5 costs two.
  const std::string body =
      "ld.global.u32 %r4, [60];\nadd.u32 %r1, %r4, 1;\nmov.u32 %r5, 7;\nst.global.u32 [68], %r1;\n"
      "st.global.u32 [68], %r5;\nld.global.v2.u32 {%r2, %r3}, [64];\nst.global.v2.u32 [64], {%r2, %r3};\n"
      "st.global.u32 [72], %r1;\nst.global.u32 [76], %r5;\nbra L;\nL:\nst.global.u32 [80], %r5;\nret;";
  EXPECT_EQ(alive(lowered(body)), 4u);
  EXPECT_EQ(alive(shortened(body)), 3u);
}

TEST(ShortenLives, repeats_nothing_where_that_would_help_one_crowd_but_not_the_other) {
  // Of the three values that are alive at the end none can be computed again.
  const std::string body =
      "mov.u32 %r1, 7;\nst.global.u32 [68], %r1;\nld.global.v2.u32 {%r2, %r3}, [64];\n"
      "st.global.v2.u32 [64], {%r2, %r3};\nst.global.u32 [72], %r1;\nld.global.v2.u32 {%r4, %r5}, [64];\n"
      "ld.global.u32 %r6, [80];\nst.global.v2.u32 [64], {%r4, %r5};\nst.global.u32 [72], %r6;\nret;";
  const ptx::Function before = lowered(body), after = shortened(body);
  EXPECT_EQ(lines(after), lines(before));
  EXPECT_EQ(after.registers.size(), before.registers.size());  // a copy has the name of what it is a copy of
  EXPECT_EQ(alive(after), 3u);
}

TEST(ShortenLives, takes_labels_along) {
  const ptx::Function function = shortened("mov.u32 %r1, 7;\nbra L;\nL:\n" + kWaits.substr(16));
  const std::vector<std::string> text = lines(function);
  EXPECT_EQ(text[0], "bra L; -> 1");
  EXPECT_EQ(text[3], "mov.u32 %r1, 7;");
}

}  // namespace code_motion_test
}  // namespace warpfork::lower
