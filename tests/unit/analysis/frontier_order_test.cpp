// Orders by hand: blocks in the order of the text, with the places that they should have.
#include "analysis/frontier_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "analysis/postdominators.h"
#include "function_builder.h"

namespace warpfork::analysis {
namespace frontier_order_test {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<FrontierPlace> places_of(FunctionBuilder& code) {
  const ControlFlowGraph graph(code.function());
  return frontier_order(graph, Postdominators(graph));
}

/// Blocks in their order.
std::vector<BlockId> order_of(FunctionBuilder& code) {
  const std::vector<FrontierPlace> places = places_of(code);
  std::vector<BlockId> order(places.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](BlockId block) { return places[block].number; });
  return order;
}

TEST(FrontierOrder, is_that_of_the_text_without_branches) {
  FunctionBuilder straight, empty;
  straight.nop().exit();
  EXPECT_THAT(order_of(straight), ElementsAre(0u));
  EXPECT_THAT(order_of(empty), IsEmpty());
}

TEST(FrontierOrder, has_both_sides_before_the_block_where_they_meet) {
  FunctionBuilder code;
  code.branch(3).nop().bra(4).nop().exit();  // blocks at 0, 1, 3 and 4
  EXPECT_EQ(order_of(code).front(), 0u);
  EXPECT_EQ(order_of(code).back(), 3u);
}

// 0: to 3 or into the body, 1-2, which comes back to 6; 3-4; 5: its second call; 6; 7-8.
TEST(FrontierOrder, has_a_body_that_calls_share_before_those_that_call) {
  FunctionBuilder code;
  code.branch(3).nop().branch(6).call(1).nop().branch(7).bra(1).call(1).nop().nop().exit();
  EXPECT_THAT(order_of(code), ElementsAre(1u, 0u, 2u, 3u, 4u, 5u));
}

// 0: A, to B (4) or on; 2: C, back to A or on; 3: to D; 4: B; 5: D. Threads that break out by way of B wait for the
// loop (MULTIPATH Figure 10's shape).
TEST(FrontierOrder, has_what_a_loop_breaks_out_to_behind_the_whole_loop) {
  FunctionBuilder code;
  code.nop().branch(4).branch(0).bra(5).nop().exit();  // blocks at 0, 2, 3, 4, 5
  EXPECT_THAT(order_of(code), AnyOf(ElementsAre(0u, 1u, 2u, 3u, 4u), ElementsAre(0u, 1u, 3u, 2u, 4u)));
}

// The text has the way out in the middle of the loop: 0: A, to C (3) or on; 1: B leaves; 3: C, back to A.
TEST(FrontierOrder, keeps_a_loop_together_whatever_lies_between_its_blocks_in_the_text) {
  FunctionBuilder code;
  code.branch(3).nop().exit().bra(0);  // blocks at 0, 1 and 3
  EXPECT_THAT(order_of(code), ElementsAre(0u, 2u, 1u));
}

TEST(FrontierOrder, has_an_inner_loop_before_the_rest_of_the_outer_one) {
  FunctionBuilder code;
  code.nop().branch(1).branch(0).exit();  // blocks at 0, 1, 2 and 3
  EXPECT_THAT(order_of(code), ElementsAre(0u, 1u, 2u, 3u));
}

TEST(FrontierOrder, has_blocks_that_are_not_reachable_last) {
  FunctionBuilder code;
  code.bra(2).nop().exit();
  EXPECT_THAT(order_of(code), ElementsAre(0u, 2u, 1u));
}

// 0: to 3 or on; 1: back to 0 or on; 2: on; 3.
TEST(FrontierOrder, tells_where_threads_must_come) {
  FunctionBuilder code;
  code.branch(3).branch(0).nop().exit();
  const std::vector<FrontierPlace> places = places_of(code);
  EXPECT_TRUE(places[0].comes_to(places[3]));
  EXPECT_TRUE(places[1].comes_to(places[3]));
  EXPECT_FALSE(places[1].comes_to(places[0]));
  EXPECT_FALSE(places[3].comes_to(places[3]));
}

}  // namespace frontier_order_test
}  // namespace warpfork::analysis
