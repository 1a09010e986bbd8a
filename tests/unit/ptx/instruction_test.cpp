#include "ptx/instruction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/printer.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace instruction_test {

using testing::ElementsAre;

TEST(Instruction, sorts_dotted_words_by_kind) {
  const Instruction load = parse_instruction("ld.volatile.shared.v2.f32 {%f0, %f1}, [%rd0];");
  EXPECT_EQ(load.opcode, Opcode::Ld);
  EXPECT_THAT(load.modifiers, ElementsAre(Modifier::Volatile));
  EXPECT_THAT(load.types, ElementsAre(ScalarType::F32));
  EXPECT_EQ(load.space, StateSpace::Shared);
  EXPECT_EQ(load.vector_width, 2);
}

TEST(Instruction, keeps_types_and_modifiers_in_order) {
  const Instruction convert = parse_instruction("cvt.rzi.sat.s32.f32 %r0, %f0;");
  EXPECT_THAT(convert.modifiers, ElementsAre(Modifier::Rzi, Modifier::Sat));
  EXPECT_THAT(convert.types, ElementsAre(ScalarType::S32, ScalarType::F32));
}

TEST(Instruction, writes_a_second_space_as_a_modifier) {
  const Instruction copy = parse_instruction("cp.async.ca.shared.global.L2::128B [%r0], [%rd0], 16;");
  EXPECT_EQ(copy.space, StateSpace::Shared);
  EXPECT_THAT(copy.modifiers, ElementsAre(Modifier::Async, Modifier::Ca, Modifier::Global, Modifier::L2128B));
}

TEST(Instruction, keeps_the_half_of_a_space_as_a_modifier) {
  const Instruction load = parse_instruction("ld.shared::cluster.u32 %r0, [%r1];");
  EXPECT_EQ(load.space, StateSpace::Shared);
  EXPECT_THAT(load.modifiers, ElementsAre(Modifier::SharedCluster));
}

TEST(Instruction, reads_cvta_with_its_space) {
  const Instruction convert = parse_instruction("cvta.to.global.u64 %rd0, %rd1;");
  EXPECT_EQ(convert.space, StateSpace::Global);
  EXPECT_THAT(convert.modifiers, ElementsAre(Modifier::To));
}

TEST(Instruction, reads_guards) {
  const Function f = parse_body("@!%p3 exit;\n@%p0 exit;");
  EXPECT_TRUE(f.body[0].guard->negated);
  EXPECT_EQ(f.registers[f.body[0].guard->predicate].name, "%p3");
  EXPECT_FALSE(f.body[1].guard->negated);
}

TEST(Instruction, reads_addresses_of_every_form) {
  const Function f = parse_body(
      ".shared .b8 s[64];\nld.global.u32 %r0, [%rd1+-4];\nld.shared.u32 %r0, [s+8*2-1];\nld.shared.u32 %r0, [16];");
  EXPECT_EQ(f.body[0].operands[1].as<AddressOperand>()->offset, -4);
  EXPECT_EQ(std::get<SymbolOperand>(f.body[1].operands[1].as<AddressOperand>()->base).name, "s");
  EXPECT_EQ(f.body[1].operands[1].as<AddressOperand>()->offset, 15);
  EXPECT_EQ(std::get<std::uint64_t>(f.body[2].operands[1].as<AddressOperand>()->base), 16u);
}

// ISA, "Arrays as Operands": an index counts elements.
TEST(Instruction, scales_indices_by_the_element) {
  const Function f = parse_body(".shared .u16 s[64];\nld.shared.u16 %h0, s[3];\nmov.u64 %rd0, s[3];");
  EXPECT_EQ(*f.body[0].operands[1].as<AddressOperand>(), (AddressOperand{SymbolOperand{"s"}, 6}));
  EXPECT_EQ(*f.body[1].operands[1].as<SymbolOperand>(), (SymbolOperand{"s", 6}));
}

// As ptxas has it: in 32 bits and without a sign, then extended.
TEST(Instruction, computes_the_address_of_an_element_that_a_register_counts) {
  const Function f = parse_body(
      ".shared .u16 s[64];\nL: @%p1 ld.shared.u16 %h0, s[%r3+1];\nbra L;\n"
      "mov.u64 %rd0, s[%rd1];\nld.shared.u16 %h0, s[%h1];");
  const auto text = [&](std::size_t pc) { return to_text(f.body.at(pc), f); };
  EXPECT_EQ(text(0), "add.u32 %element, %r3, 1;");
  EXPECT_EQ(text(1), "mov.u64 %element$1, s;");
  EXPECT_EQ(text(2), "mad.wide.u32 %element$2, %element, 2, %element$1;");
  EXPECT_EQ(text(3), "@%p1 ld.shared.u16 %h0, [%element$2];");
  EXPECT_EQ(f.body[4].operands[0].as<LabelOperand>()->target, 0u);
  EXPECT_EQ(text(6), "mad.lo.u64 %element$4, %rd1, 2, %element$3;");
  EXPECT_EQ(text(7), "mov.u64 %rd0, %element$4;");
  EXPECT_EQ(text(8), "cvt.u32.u16 %element$5, %h1;");
}

TEST(Instruction, reads_literals) {
  const Function f = parse_body("add.s32 %r0, %r1, -1;\nmul.f32 %f0, %f1, 0f40000000;\nadd.f64 %d0, %d1, 0.5;");
  EXPECT_EQ(*f.body[0].operands[2].as<ImmediateOperand>(),
            (ImmediateOperand{ImmediateOperand::Kind::Integer, ~std::uint64_t{0}}));
  EXPECT_EQ(*f.body[1].operands[2].as<ImmediateOperand>(),
            (ImmediateOperand{ImmediateOperand::Kind::Float32, 0x40000000}));
  EXPECT_EQ(*f.body[2].operands[2].as<ImmediateOperand>(),
            (ImmediateOperand{ImmediateOperand::Kind::Float64, 0x3FE0000000000000}));
}

TEST(Instruction, reads_special_registers) {
  const Function f = parse_body("mov.u32 %r0, %ctaid.z;\nmov.u32 %r0, %laneid;");
  EXPECT_EQ(*f.body[0].operands[1].as<SpecialRegisterOperand>(), (SpecialRegisterOperand{SpecialRegister::Ctaid, 2}));
  EXPECT_EQ(*f.body[1].operands[1].as<SpecialRegisterOperand>(), (SpecialRegisterOperand{SpecialRegister::Laneid, 0}));
}

TEST(Instruction, reads_pairs_sinks_and_negated_predicates) {
  const Function f = parse_body("setp.lt.and.s32 %p0|_, %r0, %r1, !%p2;");
  const PairOperand& pair = *f.body[0].operands[0].as<PairOperand>();
  EXPECT_EQ(register_of(f, pair.elements[0]).name, "%p0");
  EXPECT_NE(pair.elements[1].as<SinkOperand>(), nullptr);
  EXPECT_TRUE(f.body[0].operands[3].as<RegisterOperand>()->negated);
}

TEST(Instruction, makes_four_registers_of_a_vector) {
  const Function f = parse_body(".reg .v4 .f32 v;\nld.global.v4.f32 v, [%rd0];\nmov.f32 %f0, v.z;");
  EXPECT_EQ(f.body[0].operands[0].as<VectorOperand>()->elements.size(), 4u);
  EXPECT_EQ(register_of(f, f.body[1].operands[1]).name, "v.z");
}

TEST(Instruction, reads_selectors_of_video_instructions) {
  const Function f = parse_body("vadd.u32.u32.u32.sat %r0, %r1.b2, %r2.h1;\nvmad.s32.s32.s32 %r0, %r1, -%r2, %r3;");
  EXPECT_EQ(selector_text(f.body[0].operands[1].as<RegisterOperand>()->selector), "b2");
  EXPECT_EQ(selector_text(f.body[0].operands[2].as<RegisterOperand>()->selector), "h1");
  EXPECT_TRUE(f.body[1].operands[2].as<RegisterOperand>()->negated);
}

TEST(Instruction, resolves_branches_forwards_and_backwards) {
  const Function f = parse_body("top: add.s32 %r0, %r0, 1;\n@%p0 bra end;\nbra top;\nend:");
  EXPECT_EQ(f.body[1].operands[0].as<LabelOperand>()->target, 3u);  // the body's size: nothing follows
  EXPECT_EQ(f.body[2].operands[0].as<LabelOperand>()->target, 0u);
}

TEST(Instruction, resolves_branch_tables) {
  const Function f = parse_body("brx.idx %r0, table;\nL1: ret;\nL2: ret;\ntable: .branchtargets L1, L2, L1;");
  EXPECT_EQ(f.body[0].operands[1].as<SymbolOperand>()->name, "table");
  EXPECT_THAT(f.branch_targets.at("table"),
              ElementsAre(LabelOperand{"L1", 1}, LabelOperand{"L2", 2}, LabelOperand{"L1", 1}));
}

TEST(Instruction, reads_calls_of_every_form) {
  const Function f = parse_text(entry_text("proto: .callprototype (.param .b32 _) _ (.param .b64 _);\n"
                                           ".param .b32 r; .param .b64 a;\n"
                                           "call g;\ncall.uni (r), h, (a);\ncall (r), %rd0, (a), proto;") +
                                ".func g { ret; }\n.func (.param .b32 x) h (.param .b64 y) { ret; }\n")
                         .find_function("k")[0];
  EXPECT_EQ(f.body[0].operands.size(), 1u);
  EXPECT_EQ(f.body[1].operands[1].as<SymbolOperand>()->name, "h");
  EXPECT_EQ(f.body[1].operands[2].as<VectorOperand>()->brackets, VectorOperand::Brackets::Parentheses);
  EXPECT_EQ(f.body[2].operands[3].as<SymbolOperand>()->name, "proto");
  EXPECT_EQ(f.prototypes.at("proto").parameters.size(), 1u);
}

TEST(Instruction, knows_where_it_stands) {
  const Function f = parse_body(".loc 2 17 3\n  exit;\n.loc 2 19 1, function_name L, inlined_at 1 5 0\nexit;");
  EXPECT_EQ(f.body[0].location.line, 7u);
  EXPECT_EQ(f.body[0].location.column, 3u);
  EXPECT_EQ(f.body[0].location.source_file, 2u);
  EXPECT_EQ(f.body[0].location.source_line, 17u);
  EXPECT_EQ(f.body[1].location.source_line, 19u);
}

// One line of each family of the ISA, as its chapters write them.
constexpr const char* kOneOfEachFamily[] = {
    "add.cc.u32 %r0, %r1, %r2;",
    "mad.wide.s32 %rd0, %r1, %r2, %rd3;",
    "bfe.u64 %rd0, %rd1, %r0, 8;",
    "prmt.b32.f4e %r0, %r1, %r2, %r3;",
    "lop3.b32 %r0, %r1, %r2, %r3, 0x96;",
    "shf.l.wrap.b32 %r0, %r1, %r2, 7;",
    "fma.rn.ftz.sat.f32 %f0, %f1, %f2, %f3;",
    "div.full.f32 %f0, %f1, %f2;",
    "rcp.approx.ftz.f64 %d0, %d1;",
    "testp.notanumber.f32 %p0, %f0;",
    "set.gtu.f32.f32 %f0, %f1, %f2;",
    "slct.ftz.f32.s32 %f0, %f1, %f2, %r0;",
    "mov.b64 {%r0, %r1}, %rd0;",
    "cvt.rn.bf16x2.f32 %r0, %f0, %f1;",
    "isspacep.shared::cta %p0, %rd0;",
    "ld.global.nc.L1::no_allocate.L2::256B.v4.u32 {%r0,%r1,%r2,%r3}, [%rd0];",
    "prefetch.global.L2::evict_last [%rd0];",
    "st.release.cluster.global.u32 [%rd0], 1;",
    "multimem.red.relaxed.sys.global.add.u32 [%rd0], %r0;",
    "shfl.sync.bfly.b32 %r0|%p0, %r1, 1, 31, -1;",
    "vote.sync.ballot.b32 %r0, %p0, -1;",
    "vote.ballot.b32 %r0, !%p0;",
    "match.all.sync.b64 %r0|%p0, %rd0, -1;",
    "redux.sync.or.b32 %r0, %r1, -1;",
    "activemask.b32 %r0;",
    "elect.sync _|%p0, -1;",
    "bar.red.popc.u32 %r0, 1, 64, %p0;",
    "barrier.cluster.arrive.release.aligned;",
    "bar.warp.sync -1;",
    "fence.proxy.async.shared::cta;",
    "membar.gl;",
    "atom.global.cas.b32 %r0, [%rd0], 1, 2;",
    "atom.add.noftz.f16x2 %r0, [%rd0], %r1;",
    "red.shared.inc.u32 [%r0], 7;",
    "mbarrier.try_wait.parity.shared::cta.b64 %p0, [%r0], 1, 1000;",
    "mbarrier.arrive.shared.b64 _, [%r0];",
    "cp.async.wait_group 2;",
    "cp.async.mbarrier.arrive.noinc.shared.b64 [%r0];",
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], [%rd0, {%r1, %r2}], "
    "[%r3];",
    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f0}, {%r0}, {%r1}, {%f1};",
    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, "
    "{%f4,%f5,%f6,%f7};",
    "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r0,%r1,%r2,%r3}, [%r4];",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %rd0, %rd1, 1, 1, 1, 0, 0;",
    "tcgen05.ld.sync.aligned.16x64b.x2.b32 {%r0, %r1}, [%r2];",
    "tcgen05.wait::ld.sync.aligned;",
    "setmaxnreg.inc.sync.aligned.u32 96;",
    "griddepcontrol.wait;",
    "nanosleep.u32 100;",
    "trap;",
    "brkpt;",
    "txq.width.b32 %r0, [%rd0];",
    "sust.b.2d.v2.b32.clamp [%rd0, {%r0, %r1}], {%r2, %r3};",
    "suld.b.1d.b32.trap %r0, [%rd0, {%r1}];",
    "tld4.r.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd0, {%f4,%f5}];",
    "vset4.u32.u32.ne.add %r0, %r1.b3210, %r2.b7654, %r3;",
    "createpolicy.fractional.L2::evict_last.b64 %rd0, 1.0;",
    "mapa.shared::cluster.u32 %r0, %r1, 2;",
    "discard.global.L2 [%rd0], 128;",
    "pmevent 7;",
    "dp4a.u32.s32 %r0, %r1, %r2, %r3;"};

TEST(Instruction, accepts_every_family) {
  for (const char* const text : kOneOfEachFamily) EXPECT_NO_THROW(parse_instruction(text)) << text;
}

}  // namespace instruction_test
}  // namespace warpfork::ptx
