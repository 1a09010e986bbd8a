#include "analysis/cfg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "function_builder.h"

namespace warpfork::analysis {
namespace cfg_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ControlFlowGraph, straight_code_is_one_block_that_exits) {
  FunctionBuilder code;
  code.nop().nop().exit();
  const ControlFlowGraph graph(code.function());
  ASSERT_EQ(graph.blocks().size(), 1u);
  EXPECT_EQ(graph.blocks()[0].last, 3u);
  EXPECT_TRUE(graph.blocks()[0].exits);
  EXPECT_THAT(graph.blocks()[0].successors, IsEmpty());
}

TEST(ControlFlowGraph, guarded_branch_goes_to_its_target_first_and_falls_through) {
  FunctionBuilder code;
  code.branch(2).nop().exit();
  const ControlFlowGraph graph(code.function());
  EXPECT_THAT(graph.blocks()[0].successors, ElementsAre(2u, 1u));
  EXPECT_THAT(graph.blocks()[2].predecessors, ElementsAre(0u, 1u));
}

TEST(ControlFlowGraph, unguarded_branch_does_not_fall_through) {
  FunctionBuilder code;
  code.bra(2).nop().exit();
  const ControlFlowGraph graph(code.function());
  EXPECT_THAT(graph.blocks()[0].successors, ElementsAre(2u));
  EXPECT_THAT(graph.blocks()[1].predecessors, IsEmpty()) << "unreachable blocks are kept";
}

TEST(ControlFlowGraph, guarded_exit_ends_a_block_that_exits_and_falls_through) {
  FunctionBuilder code;
  code.nop().exit().when(code.predicate()).nop().exit();
  const ControlFlowGraph graph(code.function());
  EXPECT_TRUE(graph.blocks()[0].exits);
  EXPECT_THAT(graph.blocks()[0].successors, ElementsAre(1u));
}

TEST(ControlFlowGraph, falling_off_the_end_or_branching_there_is_an_exit) {
  FunctionBuilder code;
  code.branch(2).nop();
  const ControlFlowGraph graph(code.function());
  EXPECT_TRUE(graph.blocks()[0].exits);
  EXPECT_TRUE(graph.blocks()[1].exits);
}

TEST(ControlFlowGraph, branch_to_the_next_instruction_has_one_successor) {
  FunctionBuilder code;
  code.branch(1).exit();
  EXPECT_THAT(ControlFlowGraph(code.function()).blocks()[0].successors, ElementsAre(1u));
}

TEST(ControlFlowGraph, indirect_branch_goes_wherever_its_table_says) {
  FunctionBuilder code;
  code.add(ptx::Opcode::Brx, {ptx::RegisterOperand{code.reg(ptx::ScalarType::U32)}, ptx::LabelOperand{"table", kNoPc}});
  code.nop().exit().exit();
  code.function().branch_targets["table"] = {{"a", 3}, {"b", 1}, {"c", 3}};
  EXPECT_THAT(ControlFlowGraph(code.function()).blocks()[0].successors, ElementsAre(2u, 1u));
}

TEST(ControlFlowGraph, indirect_branch_without_table_is_an_error) {
  FunctionBuilder code;
  code.add(ptx::Opcode::Brx, {ptx::RegisterOperand{code.reg(ptx::ScalarType::U32)}, ptx::LabelOperand{"no", kNoPc}});
  EXPECT_THROW(ControlFlowGraph graph(code.function()), Error);
}

TEST(ControlFlowGraph, block_of_names_the_block_around_an_instruction) {
  FunctionBuilder code;
  code.nop().branch(3).nop().exit();
  const ControlFlowGraph graph(code.function());
  EXPECT_EQ(graph.block_of(1), 0u);
  EXPECT_EQ(graph.block_of(2), 1u);
  EXPECT_EQ(graph.block_of(3), 2u);
}

TEST(ControlFlowGraph, branch_without_a_target_is_refused_with_its_place) {
  const auto refusal = [](ptx::Opcode opcode) -> std::string {
    FunctionBuilder code;
    code.nop().add(opcode);
    try {
      ControlFlowGraph graph(code.function());
    } catch (const Error& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_EQ(refusal(ptx::Opcode::Bra), "kernel: line 11: error: this branch has no label as its target");
  EXPECT_EQ(refusal(ptx::Opcode::Brx),
            "kernel: line 11: error: brx.idx names no .branchtargets table of this function");
}

}  // namespace cfg_test
}  // namespace warpfork::analysis
