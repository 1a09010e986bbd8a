// Calls of functions that have one body for several of them.
#include "analysis/matched_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "function_builder.h"

namespace warpfork::analysis {
namespace matched_calls_test {

using testing::ElementsAre;
using testing::IsEmpty;

// Blocks: 0; 1: an outer body, which goes on in an inner one, 2, and ends in 3; 4; 5: calls the inner one; 6: behind
// it; 7: calls the outer one; 8: behind it.
FunctionBuilder nested_bodies() {
  FunctionBuilder code;
  code.nop().nop().nop().branch(9).call(1).branch(11).call(2).nop().branch(10).nop().bra(2).call(1).nop().bra(1);
  code.call(2).exit();
  return code;
}

TEST(MatchedCalls, go_on_behind_the_call) {
  FunctionBuilder code = nested_bodies();
  const std::vector<Block> blocks = blocks_with_matched_calls(ControlFlowGraph(code.function()));
  EXPECT_THAT(blocks[5].successors, ElementsAre(6u));
  EXPECT_THAT(blocks[6].predecessors, ElementsAre(5u));
  EXPECT_THAT(blocks[2].successors, ElementsAre(3u));
  EXPECT_THAT(blocks[2].predecessors, ElementsAre(1u));
  EXPECT_THAT(blocks[7].successors, ElementsAre(8u));
  EXPECT_THAT(blocks[3].successors, ElementsAre(4u));
}

// Threads may exit in the inner body, so that they may at its call, and at that of the outer one.
TEST(MatchedCalls, do_what_their_bodies_do) {
  FunctionBuilder code = nested_bodies();
  code.function().body[2].opcode = ptx::Opcode::Exit;
  code.function().body[2].guard = ptx::Guard{.predicate = code.predicate()};
  const std::vector<Block> blocks = blocks_with_matched_calls(ControlFlowGraph(code.function()));
  std::vector<BlockId> exiting;
  for (BlockId id = 0; id < blocks.size(); ++id)
    if (blocks[id].exits) exiting.push_back(id);
  EXPECT_THAT(exiting, ElementsAre(2u, 6u, 8u, 9u));  // the body is two blocks then
}

TEST(MatchedCalls, nest) {
  FunctionBuilder code = nested_bodies();
  EXPECT_THAT(call_depths(ControlFlowGraph(code.function())), ElementsAre(0, 1, 2, 1, 0, 0, 0, 0, 0));
}

// A body that calls itself: 1 to 4, from 3, to come back to 4.
TEST(MatchedCalls, of_a_circle_end) {
  FunctionBuilder code;
  code.nop().branch(4).nop().bra(1).call(1).branch(4).call(1).exit();
  const ControlFlowGraph graph(code.function());
  EXPECT_THAT(call_depths(graph), ElementsAre(0, 1, 1, 1, 0));
}

TEST(MatchedCalls, are_none_of_which_one_branch_is_gone) {
  FunctionBuilder code;
  code.nop().bra(0).call(1).exit();
  EXPECT_THAT(ControlFlowGraph(code.function()).calls(), IsEmpty());
}

}  // namespace matched_calls_test
}  // namespace warpfork::analysis
