// Instructions that change places, and what goes with them: blocks, registers, labels.
#include "lower/body_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace body_order_test {

using testing::ElementsAre;

// Two blocks, the second one from the label on.
const std::string kBody =
    "mov.u32 %r1, 7;\nmov.u32 %r2, 8;\nbra L;\nL:\nst.global.u32 [64], %r2;\nst.global.u32 [68], %r1;\nret;";

std::vector<std::string> written(std::vector<BodyOrder::Move> moves) {
  ptx::Function function = lowered(kBody);
  BodyOrder body(function);
  body.move(moves);
  body.write(function, body.order());
  return lines(function);
}

TEST(BodyOrder, is_at_first_that_of_the_function) {
  EXPECT_EQ(written({}), lowered_lines(kBody));
  const ptx::Function function = lowered(kBody);
  EXPECT_THAT(BodyOrder(function).order().firsts, ElementsAre(0, 3));
}

TEST(BodyOrder, moves_an_instruction_before_another) {
  EXPECT_THAT(written({{0, 4}}), ElementsAre("mov.u32 %r2, 8;", "bra L; -> 2", "st.global.u32 [64], %r2;",
                                             "mov.u32 %r1, 7;", "st.global.u32 [68], %r1;", "ret;"));
}

TEST(BodyOrder, puts_what_comes_before_the_first_of_a_block_behind_its_label) {
  EXPECT_EQ(written({{1, 3}})[1], "bra L; -> 2");
  EXPECT_EQ(written({{1, 3}})[2], "mov.u32 %r2, 8;");
}

TEST(BodyOrder, keeps_several_before_one_place_in_their_order) {
  EXPECT_THAT(written({{1, 5}, {0, 5}}),
              ElementsAre("bra L; -> 1", "st.global.u32 [64], %r2;", "st.global.u32 [68], %r1;", "mov.u32 %r2, 8;",
                          "mov.u32 %r1, 7;", "ret;"));
}

TEST(BodyOrder, takes_registers_and_blocks_along) {
  const ptx::Function function = lowered(kBody);
  BodyOrder body(function);
  body.move(std::vector<BodyOrder::Move>{{0, 4}});
  EXPECT_THAT(body.uses()[3].writes, ElementsAre(1));  // %r1
  EXPECT_THAT(body.uses()[4].reads, ElementsAre(1));
  EXPECT_EQ(body.graph().block_of(3), 1u);
  EXPECT_THAT(body.order().firsts, ElementsAre(0, 2));
}

TEST(BodyOrder, leaves_a_block_empty_where_the_next_one_begins) {
  ptx::Function function = lowered("bra M;\nM:\nmov.u32 %r1, 7;\nL:\nst.global.u32 [68], %r1;\n@%p1 bra L;\nret;");
  BodyOrder body(function);
  body.move(std::vector<BodyOrder::Move>{{1, 2}});
  EXPECT_THAT(body.order().firsts, ElementsAre(0, 1, 1, 4));
  EXPECT_EQ(body.graph().block_of(1), 2u);
  body.write(function, body.order());
  EXPECT_EQ(lines(function)[0], "bra M; -> 1");
  EXPECT_EQ(lines(function)[3], "@%p1 bra L; -> 1");
}

TEST(BodyOrder, goes_back_to_an_earlier_one) {
  ptx::Function function = lowered(kBody);
  BodyOrder body(function);
  const BodyOrder::Order before = body.order();
  body.move(std::vector<BodyOrder::Move>{{0, 4}, {1, 3}});
  body.write(function, before);
  EXPECT_EQ(lines(function), lowered_lines(kBody));
}

}  // namespace body_order_test
}  // namespace warpfork::lower
