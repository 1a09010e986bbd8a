// Where threads meet again that others have left early.
#include "analysis/ways.h"

#include <gtest/gtest.h>

#include "analysis/postdominators.h"
#include "function_builder.h"

namespace warpfork::analysis {
namespace ways_test {

using ptx::Opcode;

/// Of the instruction `pc`, which ends a block.
Pc meets_again(FunctionBuilder& code, Pc pc, Leavers leavers = Leavers::DoNotCount) {
  const ControlFlowGraph graph(code.function());
  return Postdominators(graph, leavers).reconvergence_pc(pc);
}

// if (…) { 3: …; goto 4; } 1: barrier; …; 4: return.
TEST(Ways, threads_that_stay_go_on_without_those_that_leave) {
  FunctionBuilder code;
  code.branch(3).add(Opcode::Bar).bra(4).nop().exit();
  EXPECT_EQ(meets_again(code, 0), 1u);
  EXPECT_EQ(meets_again(code, 0, Leavers::Count), 4u);
}

// if (…) { 1: barrier; } 2: …; return.
TEST(Ways, who_has_something_to_do_together_with_those_that_have_met_waits_for_them) {
  FunctionBuilder code;
  code.branch(2).add(Opcode::Bar).nop().exit();
  EXPECT_EQ(meets_again(code, 0), 2u);
}

// if (…) { 1: barrier; } 2: a = 0; return: as compilers sink the ends of both into one.
TEST(Ways, but_not_where_it_is_the_kernels_end_that_sees_nobody) {
  FunctionBuilder code;
  const ptx::RegisterId a = code.reg(ptx::ScalarType::U32);
  code.branch(2).add(Opcode::Bar).set(a).exit();
  EXPECT_EQ(meets_again(code, 0), 1u);
}

// if (…) { 1: barrier; } 2: a = a local variable; return: as register allocation spills what the end stores.
TEST(Ways, nor_where_the_end_reads_what_is_the_threads_own) {
  FunctionBuilder code;
  const ptx::RegisterId a = code.reg(ptx::ScalarType::U32);
  code.branch(2).add(Opcode::Bar).load(ptx::StateSpace::Local, a).exit();
  EXPECT_EQ(meets_again(code, 0), 1u);
}

// if (…) { 1: barrier; } 2: a = a global variable; return.
TEST(Ways, but_where_it_reads_what_others_may_have_written) {
  FunctionBuilder code;
  const ptx::RegisterId a = code.reg(ptx::ScalarType::U32);
  code.branch(2).add(Opcode::Bar).load(ptx::StateSpace::Global, a).exit();
  EXPECT_EQ(meets_again(code, 0), 2u);
}

// if (…) { 1: barrier of 32 threads; } 2: a = 0; return.
TEST(Ways, nor_where_the_barrier_is_for_some_of_the_block) {
  FunctionBuilder code;
  const ptx::RegisterId a = code.reg(ptx::ScalarType::U32);
  code.branch(2).add(Opcode::Bar, {ptx::ImmediateOperand{}, ptx::ImmediateOperand{}}).set(a).exit();
  EXPECT_EQ(meets_again(code, 0), 2u);
}

// if (…) { 1: __syncwarp(members); } 2: …; return.
TEST(Ways, it_stays_so_where_those_that_end_cannot_be_among_those_that_are_named) {
  FunctionBuilder code;
  const ptx::RegisterId a = code.reg(ptx::ScalarType::U32);
  code.branch(2).add(Opcode::Bar).set(a).exit();
  code.function().body[1].modifiers = {ptx::Modifier::Warp, ptx::Modifier::Sync};
  EXPECT_EQ(meets_again(code, 0), 2u);
}

// 0 and 1 may go to 4: …; return.
TEST(Ways, those_that_leave_by_two_ways_may_have_that_in_common) {
  FunctionBuilder code;
  code.branch(4).branch(4).add(Opcode::Bar).exit().nop().exit();
  EXPECT_EQ(meets_again(code, 0), 1u);
  EXPECT_EQ(meets_again(code, 1), 2u);
}

TEST(Ways, behind_the_last_meeting_all_count) {
  FunctionBuilder code;
  code.add(Opcode::Bar).branch(4).nop().bra(5).nop().exit();
  EXPECT_EQ(meets_again(code, 1), 5u);
}

// if (…) { 1: if (…) goto 7; 2: …; } 3: barrier; …; 7: ….
TEST(Ways, a_branch_around_one_that_leaves_has_its_end) {
  FunctionBuilder code;
  code.branch(3).branch(5).nop().add(Opcode::Bar).bra(6).nop().exit();
  EXPECT_EQ(meets_again(code, 0), 3u);
  EXPECT_EQ(meets_again(code, 1), 2u);
}

TEST(Ways, so_has_one_around_a_guarded_exit) {
  FunctionBuilder code;
  code.branch(3).exit().when(code.predicate()).nop().add(Opcode::Bar).exit();
  EXPECT_EQ(meets_again(code, 0), 3u);
  EXPECT_EQ(meets_again(code, 0, Leavers::Count), kNoPc);
}

TEST(Ways, an_instruction_that_names_threads_is_a_meeting) {
  FunctionBuilder code;
  code.branch(3).add(Opcode::Shfl).bra(4).nop().exit();
  EXPECT_EQ(meets_again(code, 0), 4u);
  code.function().body[1].modifiers.push_back(ptx::Modifier::Sync);
  EXPECT_EQ(meets_again(code, 0), 1u);
}

// 0: to 3 or on; 1: __syncwarp(members); 3: all.
TEST(Ways, those_that_wait_for_whom_they_name_may_be_left_behind) {
  FunctionBuilder code;
  code.branch(3).add(Opcode::Bar).nop().exit();
  code.function().body[1].modifiers = {ptx::Modifier::Warp, ptx::Modifier::Sync};
  EXPECT_EQ(meets_again(code, 0, Leavers::CountOvertaken), 3u);
  EXPECT_EQ(meets_again(code, 0, Leavers::CountGathered), kNoPc);
}

TEST(Ways, nobody_waits_where_threads_only_arrive) {
  FunctionBuilder code;
  code.branch(3).add(Opcode::Bar).bra(4).nop().exit();
  code.function().body[1].modifiers.push_back(ptx::Modifier::Arrive);
  EXPECT_EQ(meets_again(code, 0), 4u);
}

// do { barrier; } while (…); …
TEST(Ways, the_end_of_a_loop_that_holds_the_last_meeting_counts) {
  FunctionBuilder code;
  code.add(Opcode::Bar).branch(0).nop().exit();
  EXPECT_EQ(meets_again(code, 1), 2u);
}

// for (;;) { 0: barrier; if (…) return; if (…) { 3: … } 4: }
TEST(Ways, so_does_an_exit_from_it) {
  FunctionBuilder code;
  code.add(Opcode::Bar).exit().when(code.predicate()).branch(4).nop().bra(0);
  EXPECT_EQ(meets_again(code, 2), 4u);
  EXPECT_EQ(meets_again(code, 1), kNoPc);
}

// do { 0: if (…) goto 5; 1: barrier; } while (…); 3: barrier; …
TEST(Ways, who_leaves_from_a_loop_before_another_meeting_does_not) {
  FunctionBuilder code;
  code.branch(5).add(Opcode::Bar).branch(0).add(Opcode::Bar).bra(6).nop().exit();
  EXPECT_EQ(meets_again(code, 0), 1u);
  EXPECT_EQ(meets_again(code, 2), 3u);
}

TEST(Ways, a_trap_is_no_way_on) {
  FunctionBuilder code;
  code.branch(3).branch(5).nop().nop().exit().add(Opcode::Trap).exit();  // if (…) { if (…) trap; … }
  EXPECT_EQ(meets_again(code, 0), 3u);
  EXPECT_EQ(meets_again(code, 1), 2u);
  EXPECT_EQ(meets_again(code, 0, Leavers::Count), 3u);
  EXPECT_EQ(meets_again(code, 0, Leavers::CountOvertaken), kNoPc);
}

// 0: a loop's turn; 1: if (…) goto 4; 2: again from 0 or 3: return; 4: for (;;) …, as nvcc leaves of an unrolled loop
// of which fewer turns are ever taken.
TEST(Ways, nor_is_a_loop_without_an_end) {
  FunctionBuilder code;
  code.nop().branch(4).branch(0).exit().nop().bra(4);
  EXPECT_EQ(meets_again(code, 1), 2u);
  EXPECT_EQ(meets_again(code, 1, Leavers::Count), 2u);
  EXPECT_EQ(meets_again(code, 1, Leavers::CountOvertaken), kNoPc);
}

TEST(Ways, a_guarded_trap_lets_the_others_go_on) {
  FunctionBuilder code;
  code.branch(2).add(Opcode::Trap).when(code.predicate()).nop().exit();
  EXPECT_EQ(meets_again(code, 0), 2u);
}

TEST(Ways, where_all_end_in_traps_they_are_ends) {
  FunctionBuilder code;
  code.branch(2).bra(3).nop().add(Opcode::Trap);
  EXPECT_EQ(meets_again(code, 0), 3u);
}

}  // namespace ways_test
}  // namespace warpfork::analysis
