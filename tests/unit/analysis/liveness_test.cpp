#include "analysis/liveness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "function_builder.h"

namespace warpfork::analysis {
namespace liveness_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

unsigned most_alive(FunctionBuilder& code) {
  return max_live_registers(code.function(), ControlFlowGraph(code.function()));
}

TEST(Liveness, register_is_alive_from_its_write_to_its_last_read) {
  FunctionBuilder code;
  const auto a = code.reg(ptx::ScalarType::U32), b = code.reg(ptx::ScalarType::U32);
  code.set(a).bra(2).mov(b, a).exit();
  const ControlFlowGraph graph(code.function());
  const Liveness liveness(code.function(), graph);
  EXPECT_FALSE(liveness.live_in(0).contains(a));
  EXPECT_TRUE(liveness.live_out(0).contains(a));
  EXPECT_FALSE(liveness.live_out(1).contains(b));
}

TEST(Liveness, guarded_write_does_not_end_the_life_before_it) {
  FunctionBuilder code;
  const auto a = code.reg(ptx::ScalarType::U32), b = code.reg(ptx::ScalarType::U32);
  code.bra(1).set(a).when(code.predicate()).mov(b, a).exit();
  const ControlFlowGraph graph(code.function());
  EXPECT_TRUE(Liveness(code.function(), graph).live_in(1).contains(a));
}

TEST(Liveness, register_read_at_the_loop_head_is_alive_around_the_back_edge) {
  FunctionBuilder code;
  const auto a = code.reg(ptx::ScalarType::U32), b = code.reg(ptx::ScalarType::U32);
  code.set(a).mov(b, a).branch(1).exit();  // B0: 0, B1: 1-2, B2: 3
  const ControlFlowGraph graph(code.function());
  EXPECT_TRUE(Liveness(code.function(), graph).live_out(1).contains(a));
}

TEST(Liveness, counts_64_bit_registers_twice_and_predicates_not_at_all) {
  FunctionBuilder code;
  const auto narrow = code.reg(ptx::ScalarType::U16), wide = code.reg(ptx::ScalarType::F64);
  code.set(narrow).set(wide).set(code.predicate());
  code.add(ptx::Opcode::St, {ptx::AddressOperand{wide, 0}, ptx::RegisterOperand{narrow}}).when(code.predicate());
  code.exit();
  EXPECT_EQ(most_alive(code), 3u);
}

TEST(Liveness, sequence_of_temporaries_needs_only_what_overlaps) {
  FunctionBuilder code;
  const auto a = code.reg(ptx::ScalarType::U32), b = code.reg(ptx::ScalarType::U32), c = code.reg(ptx::ScalarType::U32);
  code.set(a).mov(b, a).mov(c, b);
  code.add(ptx::Opcode::St, {ptx::AddressOperand{std::uint64_t{64}, 0}, ptx::RegisterOperand{c}}).exit();
  EXPECT_EQ(most_alive(code), 1u);
}

TEST(Liveness, result_that_nobody_reads_still_needs_a_place) {
  FunctionBuilder code;
  code.set(code.reg(ptx::ScalarType::B64)).exit();
  EXPECT_EQ(most_alive(code), 2u);
}

TEST(Liveness, guarded_result_that_nobody_reads_needs_its_place_only_there) {
  FunctionBuilder code;
  const auto a = code.reg(ptx::ScalarType::U32), unread = code.reg(ptx::ScalarType::B64);
  code.set(a).set(unread).when(code.predicate()).mov(a, a).exit();
  const ControlFlowGraph graph(code.function());
  EXPECT_THAT(Liveness(code.function(), graph).units_after(), ElementsAre(1u, 3u, 1u, 0u));
}

TEST(RegisterUses, are_those_of_each_instruction) {
  FunctionBuilder code;
  const auto a = code.reg(ptx::ScalarType::U32), b = code.reg(ptx::ScalarType::U32);
  code.set(a).mov(b, a).when(code.predicate()).exit();
  const RegisterUses uses(code.function());
  EXPECT_THAT(uses[0].writes, ElementsAre(a));
  EXPECT_THAT(uses[0].reads, IsEmpty());
  EXPECT_THAT(uses[1].writes, ElementsAre(b));
  EXPECT_THAT(uses[1].reads, ElementsAre(a, code.predicate()));
}

TEST(RegistersOf, store_reads_all_its_registers) {
  FunctionBuilder code;
  code.add(ptx::Opcode::St, {ptx::AddressOperand{ptx::RegisterId{3}, 8},
                             ptx::VectorOperand{{ptx::RegisterOperand{4}, ptx::RegisterOperand{5}}}});
  const RegisterUse use = registers_of(code.function().body[0]);
  EXPECT_THAT(use.reads, ElementsAre(3u, 4u, 5u));
  EXPECT_THAT(use.writes, IsEmpty());
}

TEST(RegistersOf, texture_read_writes_its_channels_and_surface_store_writes_nothing) {
  const ptx::VectorOperand channels{{ptx::RegisterOperand{1}, ptx::SinkOperand{}}};
  const ptx::VectorOperand place{{ptx::RegisterOperand{2}, ptx::VectorOperand{{ptx::RegisterOperand{3}}}},
                                 ptx::VectorOperand::Brackets::Square};
  FunctionBuilder code;
  code.add(ptx::Opcode::Tex, {channels, place});
  code.add(ptx::Opcode::Sust, {place, channels});
  EXPECT_THAT(registers_of(code.function().body[0]).writes, ElementsAre(1u));
  EXPECT_THAT(registers_of(code.function().body[0]).reads, ElementsAre(2u, 3u));
  EXPECT_THAT(registers_of(code.function().body[1]).writes, IsEmpty());
  EXPECT_THAT(registers_of(code.function().body[1]).reads, ElementsAre(2u, 3u, 1u));
}

TEST(RegistersOf, load_and_paired_predicates_are_written_and_the_guard_is_read) {
  FunctionBuilder code;
  code.add(ptx::Opcode::Setp, {ptx::PairOperand{{ptx::RegisterOperand{1}, ptx::RegisterOperand{2}}},
                               ptx::RegisterOperand{3}, ptx::RegisterOperand{4}});
  code.when(7);
  const RegisterUse use = registers_of(code.function().body[0]);
  EXPECT_THAT(use.writes, ElementsAre(1u, 2u));
  EXPECT_THAT(use.reads, ElementsAre(3u, 4u, 7u));
}

TEST(RegistersOf, barrier_and_indirect_branch_write_nothing) {
  FunctionBuilder code;
  code.add(ptx::Opcode::Bar, {ptx::RegisterOperand{1}});
  code.add(ptx::Opcode::Brx, {ptx::RegisterOperand{2}, ptx::LabelOperand{"table", kNoPc}});
  EXPECT_THAT(registers_of(code.function().body[0]).reads, ElementsAre(1u));
  EXPECT_THAT(registers_of(code.function().body[1]).writes, IsEmpty());
}

TEST(RegistersOf, call_writes_its_results_and_reads_its_arguments) {
  using Brackets = ptx::VectorOperand::Brackets;
  const ptx::VectorOperand results{{ptx::RegisterOperand{1}}, Brackets::Parentheses};
  const ptx::VectorOperand arguments{{ptx::RegisterOperand{2}, ptx::RegisterOperand{3}}, Brackets::Parentheses};
  FunctionBuilder code;
  code.add(ptx::Opcode::Call, {results, ptx::SymbolOperand{"f"}, arguments});
  code.add(ptx::Opcode::Call, {ptx::SymbolOperand{"f"}, arguments});
  EXPECT_THAT(registers_of(code.function().body[0]).writes, ElementsAre(1u));
  EXPECT_THAT(registers_of(code.function().body[0]).reads, ElementsAre(2u, 3u));
  EXPECT_THAT(registers_of(code.function().body[1]).writes, IsEmpty());
  EXPECT_THAT(registers_of(code.function().body[1]).reads, ElementsAre(2u, 3u));
}

TEST(RegistersOf, reduction_at_a_barrier_is_written_and_its_predicate_read) {
  FunctionBuilder code;
  code.add(ptx::Opcode::Bar, {ptx::RegisterOperand{1}, ptx::ImmediateOperand{}, ptx::RegisterOperand{2}});
  code.function().body[0].modifiers = {ptx::Modifier::Red, ptx::Modifier::Popc};
  EXPECT_THAT(registers_of(code.function().body[0]).writes, ElementsAre(1u));
  EXPECT_THAT(registers_of(code.function().body[0]).reads, ElementsAre(2u));
}

// 64-bit registers are pairs of 32-bit ones; shorter ones fill one, predicates have a file of their own.
TEST(RegisterUnits, count_32_bits_each) {
  EXPECT_EQ(register_units(ptx::ScalarType::Pred), 0u);
  EXPECT_EQ(register_units(ptx::ScalarType::B8), 1u);
  EXPECT_EQ(register_units(ptx::ScalarType::F32), 1u);
  EXPECT_EQ(register_units(ptx::ScalarType::S64), 2u);
  EXPECT_EQ(register_units(ptx::ScalarType::B128), 4u);
}

}  // namespace liveness_test
}  // namespace warpfork::analysis
