#include "ptx/instruction_text.h"

#include <gtest/gtest.h>

#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace instruction_text_test {

std::string mnemonic_of(const std::string& text) { return mnemonic(parse_instruction(text)); }

TEST(InstructionText, names_the_line_of_the_text) {
  const Module module = parse_text(entry_text("exit;\n\n  exit;"));
  EXPECT_EQ(place_of(module, module.functions[0].body[0]), "t.ptx:6");
  EXPECT_EQ(place_of(module, module.functions[0].body[1]), "t.ptx:8");
}

TEST(InstructionText, has_opcode_modifiers_and_types_without_operands) {
  EXPECT_EQ(mnemonic_of("add.s32 %r0, %r1, 2;"), "add.s32");
  EXPECT_EQ(mnemonic_of("@%p0 cvt.rzi.sat.s32.f32 %r0, %f0;"), "cvt.rzi.sat.s32.f32");
  EXPECT_EQ(mnemonic_of("exit;"), "exit");
}

TEST(InstructionText, has_space_and_vector_width_of_memory_instructions) {
  EXPECT_EQ(mnemonic_of("ld.global.v2.f32 {%f0, %f1}, [%rd0];"), "ld.global.v2.f32");
  EXPECT_EQ(mnemonic_of("ld.u32 %r0, [%rd0];"), "ld.u32");
  EXPECT_EQ(mnemonic_of("atom.shared.add.u32 %r0, [%r1], 1;"), "atom.shared.add.u32");
}

TEST(InstructionText, writes_the_space_of_cvta_behind_its_to) {
  EXPECT_EQ(mnemonic_of("cvta.to.global.u64 %rd0, %rd1;"), "cvta.to.global.u64");
  EXPECT_EQ(mnemonic_of("cvta.shared.u64 %rd0, %rd1;"), "cvta.shared.u64");
}

TEST(InstructionText, has_its_words_in_the_order_of_the_syntax) {
  for (const std::string text :
       {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%rd0], %r1, [%r2];",
        "cp.async.ca.shared.global.L2::128B [%r0], [%rd0], 16;",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd0], [%r0], %r1;",
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0, %r1}, [%rd0], %r1;",
        "mbarrier.try_wait.parity.acquire.cta.shared.b64 %p0, [%r0], %r1;",
        "atom.acq_rel.gpu.global.add.v2.f32 {%f0, %f1}, [%rd0], {%f2, %f3};"})
    EXPECT_EQ(mnemonic_of(text), text.substr(0, text.find(' ')));
  EXPECT_EQ(mnemonic_of("fence.proxy.async.shared::cta;"), "fence.proxy.async.shared::cta");
}

TEST(InstructionText, of_a_refusal_names_the_line_of_the_program) {
  const Module module = parse_text(entry_text(".loc 1 7 0\n  exit;") + ".file 1 \"saxpy.cu\"\n");
  EXPECT_EQ(what_is_refused(module, module.functions[0].body[0]), "t.ptx:7: error: instruction 'exit' (saxpy.cu:7)");
}

}  // namespace instruction_text_test
}  // namespace warpfork::ptx
