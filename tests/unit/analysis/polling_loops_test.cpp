// Loops in which threads may wait for others, by hand.
#include "analysis/polling_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/frontier_order.h"
#include "analysis/postdominators.h"
#include "function_builder.h"

namespace warpfork::analysis {
namespace polling_loops_test {

using ptx::Opcode;
using ::testing::Each;
using ::testing::ElementsAre;

std::vector<bool> begin_of(FunctionBuilder& code) {
  return begin_polling_loops(ControlFlowGraph(code.function()).blocks());
}

/// 0: …; 1: ask, back to 1 or on; 3: …
FunctionBuilder lock(Opcode ask) {
  FunctionBuilder code;
  code.nop().add(ask).branch(1).nop().exit();
  return code;
}

TEST(PollingLoops, ask_by_atomic_operations_with_a_result) {
  FunctionBuilder atomic = lock(Opcode::Atom), reduction = lock(Opcode::Red);
  EXPECT_THAT(begin_of(atomic), ElementsAre(false, true, false));
  EXPECT_THAT(begin_of(reduction), Each(false));
}

TEST(PollingLoops, ask_by_strong_loads) {
  FunctionBuilder weak = lock(Opcode::Ld), strong = lock(Opcode::Ld);
  strong.function().body[1].modifiers.push_back(ptx::Modifier::Acquire);
  EXPECT_THAT(begin_of(weak), Each(false));
  EXPECT_THAT(begin_of(strong), ElementsAre(false, true, false));
}

TEST(PollingLoops, are_loops) {
  FunctionBuilder code;
  code.add(Opcode::Atom).branch(3).nop().exit();
  EXPECT_THAT(begin_of(code), Each(false));
}

// 0: ask; 1: back to 1 or on; 2: back to 0 or on: the inner loop asks nobody.
TEST(PollingLoops, are_the_loops_around_who_asks_alone) {
  FunctionBuilder code;
  code.add(Opcode::Atom).branch(1).branch(0).exit();
  EXPECT_THAT(begin_of(code), ElementsAre(true, false, false, false));
}

TEST(PollingLoops, are_known_to_the_order_of_frontiers) {
  FunctionBuilder code = lock(Opcode::Atom);
  const ControlFlowGraph graph(code.function());
  const std::vector<FrontierPlace> places = frontier_order(graph, Postdominators(graph));
  EXPECT_FALSE(places[0].begins_polling);
  EXPECT_TRUE(places[1].begins_polling);
}

// 0: to 3 or on; 1: ask, back to 1 or on; 3: all.
TEST(PollingLoops, let_others_overtake_who_is_in_them) {
  FunctionBuilder code;
  code.branch(3).add(Opcode::Atom).branch(1).exit();
  const ControlFlowGraph graph(code.function());
  EXPECT_EQ(Postdominators(graph, Leavers::Count).reconvergence_pc(0), 3u);
  EXPECT_EQ(Postdominators(graph, Leavers::CountOvertaken).reconvergence_pc(0), kNoPc);
}

}  // namespace polling_loops_test
}  // namespace warpfork::analysis
