// Which operands each opcode takes: registers of which types, pairs, vectors, addresses, literals (PTX ISA, "Operand
// Type Checking" and the table "Relaxed Type-checking Rules").
#include "ptx/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace signature_test {

using testing::AllOf;
using testing::HasSubstr;

class Accepted : public testing::TestWithParam<const char*> {};

TEST_P(Accepted, is_read_without_complaint) { EXPECT_NO_THROW(parse_instruction(GetParam())); }

INSTANTIATE_TEST_SUITE_P(UntypedRegistersOfTheWidth, Accepted,
                         testing::Values("add.s32 %r0, %r1, %r2;", "add.f32 %r0, %r1, %r2;",
                                         "add.f64 %rd0, %rd1, %rd2;", "mul.wide.s16 %r0, %h0, %h1;",
                                         "mul.wide.u32 %rd0, %r0, %r1;", "and.b32 %f0, %f1, %f2;",
                                         "setp.lt.f32 %p0, %r0, %f1;", "fma.rn.f16x2 %r0, %r1, %r2, %r3;",
                                         "add.f16 %h0, %h1, %h2;"));
INSTANTIATE_TEST_SUITE_P(CachePoliciesBehindTheOthers, Accepted,
                         testing::Values("atom.global.exch.L2::cache_hint.b32 %r0, [%rd0], %r1, %rd1;",
                                         "atom.global.cas.L2::cache_hint.b32 %r0, [%rd0], %r1, %r2, %rd1;",
                                         "red.global.add.L2::cache_hint.u32 [%rd0], %r1, %rd1;"));
INSTANTIATE_TEST_SUITE_P(VectorsOfMoves, Accepted,
                         testing::Values("mov.v2.u32 {%r0, %r1}, {0, -1};", "mov.v4.u32 {%r0, %r1, _, %r2}, %tid;",
                                         "mov.v2.f64 {%d0, %d1}, {%d1, 0d0000000000000000};"));
INSTANTIATE_TEST_SUITE_P(WiderRegistersOfLoadsStoresAndConversions, Accepted,
                         testing::Values("ld.global.u8 %rd0, [%rd1];", "ld.global.s16 %r0, [%rd1];",
                                         "ld.global.f32 %rd0, [%rd1];", "st.global.u8 [%rd0], %rd1;",
                                         "st.global.b16 [%rd0], %r1;", "cvt.u8.u32 %r0, %r1;", "cvt.s64.s8 %rd0, %r1;",
                                         "ld.global.v2.u8 {%r0, %r1}, [%rd1];"));
INSTANTIATE_TEST_SUITE_P(ShiftsAndCountsOf32Bits, Accepted,
                         testing::Values("shl.b64 %rd0, %rd1, %r0;", "shr.s16 %h0, %h1, %r0;",
                                         "bfe.u64 %rd0, %rd1, %r0, %r1;", "bfi.b64 %rd0, %rd1, %rd2, %r0, 4;",
                                         "popc.b64 %r0, %rd1;", "clz.b64 %r0, %rd1;", "bfind.s64 %r0, %rd1;",
                                         "shf.l.wrap.b32 %r0, %r1, %r2, %r3;"));
INSTANTIATE_TEST_SUITE_P(PairsAndSinks, Accepted,
                         testing::Values("setp.eq.s32 %p0|%p1, %r0, %r1;", "setp.eq.s32 _|%p1, %r0, %r1;",
                                         "shfl.sync.up.b32 %r0|%p0, %r1, 1, 0, -1;",
                                         "lop3.and.b32 %r0|%p0, %r1, %r2, %r3, 1, %p1;",
                                         "atom.global.add.u32 _, [%rd0], 1;", "elect.sync %r0|%p0, -1;"));
INSTANTIATE_TEST_SUITE_P(LiteralsAndNames, Accepted,
                         testing::Values("mov.b32 %r0, 0f3F800000;", "mov.b64 %rd0, 0d3FF0000000000000;",
                                         "add.f32 %f0, %f1, 0d3FF0000000000000;", "add.f64 %d0, %d1, 0f3F800000;",
                                         "selp.b32 %r0, 1, 2, 1;", "mov.u64 %rd0, p;", "mov.u32 %r0, %clock;",
                                         "cvt.u64.u32 %rd0, %tid.x;", "mov.s32 %r0, %ntid.y;",
                                         "st.global.u32 [%rd0], -1;"));

struct Refused {
  const char* instruction;
  const char* operand;
  const char* allowed;
};

void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.instruction; }

class RefusedOperand : public testing::TestWithParam<Refused> {};

TEST_P(RefusedOperand, is_named_with_its_type_and_what_is_allowed) {
  EXPECT_THAT(
      body_error(GetParam().instruction),
      AllOf(HasSubstr(std::string("'") + GetParam().operand + "' is of type ."), HasSubstr(GetParam().allowed)));
}

const Refused kRefused[] = {
    {"add.s32 %rd0, %r1, %r2;", "%rd0", "allowed: an integer or .b register of 32 bits"},
    {"add.f32 %f0, %d1, %f2;", "%d1", "allowed: a .f32 or .b register of 32 bits"},
    {"add.s16 %h0, %h1, %r2;", "%r2", "of 16 bits"},
    {"and.b64 %rd0, %rd1, %r2;", "%r2", "allowed: a register of 64 bits"},
    {"mul.wide.u32 %r0, %r1, %r2;", "%r0", "of 64 bits"},
    {"mad.wide.s32 %rd0, %r1, %r2, %r3;", "%r3", "of 64 bits"},
    {"popc.b64 %rd0, %rd1;", "%rd0", "of 32 bits"},
    {"shl.b64 %rd0, %rd1, %rd2;", "%rd2", "of 32 bits"},
    {"cvt.f64.f32 %f0, %f1;", "%f0", "of 64 bits or more"},
    {"cvt.u32.u64 %r0, %r1;", "%r1", "of 64 bits or more"},
    {"cvt.rn.f32.f64 %f0, %f1;", "%f1", "of 64 bits or more"},
    {"ld.global.u32 %h0, [%rd0];", "%h0", "of 32 bits or more"},
    {"ld.global.f32 %d0, [%rd0];", "%d0", ".f32 or .b register of 32 bits or more"},
    {"ld.global.v2.u32 {%r0, %h1}, [%rd0];", "%h1", "of 32 bits or more"},
    {"st.global.u64 [%rd0], %r1;", "%r1", "of 64 bits or more"},
    {"setp.eq.s32 %r0, %r1, %r2;", "%r0", "allowed: a register of type .pred"},
    {"setp.eq.and.s32 %p0, %r1, %r2, %r3;", "%r3", "of type .pred"},
    {"setp.eq.s32 %p0|%r0, %r1, %r2;", "%r0", "of type .pred"},
    {"selp.b32 %r0, %r1, %r2, %r3;", "%r3", "of type .pred"},
    {"set.lt.u32.f32 %r0, %r1, %d2;", "%d2", "of 32 bits"},
    {"slct.f32.s32 %f0, %f1, %f2, %f3;", "%f3", "integer or .b register of 32 bits"},
    {"mov.pred %p0, %r0;", "%r0", "of type .pred"},
    {"mov.u32 %r0, %p0;", "%p0", "of 32 bits"},
    {"vote.sync.any.pred %p0, %r0, -1;", "%r0", "of type .pred"},
    {"shfl.sync.up.b32 %r0, %r1, %rd1, 0, -1;", "%rd1", "of 32 bits"},
    {"atom.global.add.u32 %rd0, [%rd1], 1;", "%rd0", "of 32 bits"},
    {"atom.global.cas.b64 %rd0, [%rd1], %r1, %rd2;", "%r1", "of 64 bits"},
    {"red.global.add.f32 [%rd0], %d0;", "%d0", "of 32 bits"},
    {"vadd.s32.s32.s32 %r0, %r1, %h2;", "%h2", "an integer or .b register of 32 bits"},
    {"vmad.u32.u32.u32 %f0, %r1, %r2, %r3;", "%f0", "an integer or .b register of 32 bits"},
    {"cvt.pack.sat.u16.s32 %r0, %r1, %h2;", "%h2", "an integer or .b register of 32 bits"},
    {"cvt.rn.f16x2.f32 %r0, %f1, %d2;", "%d2", "a .f32 or .b register of 32 bits"},
    {"bar.sync %h0;", "%h0", "of 32 bits"},
    {"bar.red.popc.u32 %rd0, 0, %p0;", "%rd0", "of 32 bits"},
    {"bar.red.and.pred %p0, 0, 64, %r0;", "%r0", "of type .pred"},
    {"match.any.sync.b32 %r0, %r1, %rd0;", "%rd0", "of 32 bits"},
    {"elect.sync %r0|%p0, %h1;", "%h1", "of 32 bits"},
    {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r0, %r1}, {%f2}, {%r3}, {%r4, %r5};", "%f2",
     "an integer or .b register of 32 bits"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%f4, %r1}, {%r2}, {%f4, %f5, %f6, %f7};",
     "%f4", "a .f16x2 or .b register of 32 bits"},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0, %h1}, [%rd0];", "%h1", "a register of 32 bits"},
    {"movmatrix.sync.aligned.m8n8.trans.b16 %r0, %h1;", "%h1", "a register of 32 bits"},
    {"mbarrier.init.shared.b64 [%rd0], %rd1;", "%rd1", "an integer or .b register of 32 bits"},
    {"mbarrier.arrive.shared.b64 %r0, [%rd0];", "%r0", "of 64 bits"},
    {"mbarrier.test_wait.shared.b64 %p0, [%rd0], %d1;", "%d1", "an integer or .b register of 64 bits"},
    {"mbarrier.try_wait.parity.shared.b64 %p0, [%rd0], %rd1;", "%rd1", "of 32 bits"},
    {"mbarrier.pending_count.b64 %rd0, %rd1;", "%rd0", "of 32 bits"},
    {".reg .f16 %x<2>; add.bf16 %h0, %h1, %x1;", "%x1", "a .bf16 or .b register of 16 bits"},
    {".reg .u32 %u<2>; add.u16x2 %r0, %r1, %u1;", "%u1", "a .u16x2 or .b register of 32 bits"},
};
INSTANTIATE_TEST_SUITE_P(All, RefusedOperand, testing::ValuesIn(kRefused));

TEST(Signature, speaks_of_as_many_types_as_its_operands_need) {
  EXPECT_EQ(types_of(signature_of(Opcode::Add).operands), 1u);
  EXPECT_EQ(types_of(signature_of(Opcode::Cvt).operands), 2u);
  EXPECT_EQ(types_of(signature_of(Opcode::Set).operands), 2u);
  EXPECT_EQ(types_of(signature_of(Opcode::Bra).operands), 0u);
  EXPECT_EQ(types_of(signature_of(Opcode::Ld).operands), 1u);
}

TEST(Signature, an_opcode_with_types_is_not_taken_without) {
  for (const char* text : {"add %r0, %r1, %r2;", "cvt %r0, %r1;", "ld.global %r0, [%rd0];", "mov %r0, %r1;"})
    EXPECT_THAT(body_error(text), HasSubstr("without a type"));
}

TEST(Signature, forms_of_mixed_types_are_left_to_whoever_executes_them) {
  EXPECT_NO_THROW(parse_instruction("fma.rn.f32.f16 %f0, %h0, %h1, %f1;"));
  EXPECT_NO_THROW(parse_instruction("cvt.rn.satfinite.e4m3x2.f32 %h0, %f0, %f1;"));
}

TEST(Destination, is_a_first_operand_that_is_written) {
  for (const char* text : {"add.s32 %r0, %r1, %r2;", "ld.global.u32 %r0, [%rd1];", "barrier.red.popc.u32 %r0, 0, %p1;"})
    EXPECT_TRUE(has_destination(parse_instruction(text))) << text;
  for (const char* text : {"st.global.u32 [%rd0], %r1;", "red.global.add.u32 [%rd0], %r1;",
                           "prefetch.global.L1 [%rd0];", "bar.sync 0;", "membar.gl;", "nanosleep.u32 %r0;"})
    EXPECT_FALSE(has_destination(parse_instruction(text))) << text;
}

TEST(Registers, of_a_function_and_of_a_module_have_limits) {
  EXPECT_NO_THROW(parse_body(".reg .b32 %x<500000>;"));
  EXPECT_THAT(body_error(".reg .b32 %x<524288>;"), HasSubstr("a function may declare 524288"));
  std::string functions;
  for (int i = 0; i < 9; ++i) functions += ".func f" + std::to_string(i) + " { .reg .b32 %x<500000>; ret; }\n";
  EXPECT_THAT(error_of(kHead + functions), HasSubstr("a module may declare 4194304"));
}

TEST(Registers, of_two_ranges_that_overlap_are_kept_apart_or_refused) {
  const Function f = parse_body("{ .reg .b32 a1<2>; mov.u32 a10, 1; }\n{ .reg .b32 a<12>; mov.u32 a10, 2; }");
  EXPECT_EQ(register_of(f, f.body[0].operands[0]).name, "a10");
  EXPECT_EQ(register_of(f, f.body[1].operands[0]).name, "a10$1");
  EXPECT_THAT(body_error(".reg .b32 a<12>; .reg .b32 a1<2>;"), HasSubstr("'a10' is declared twice in this scope"));
}

}  // namespace signature_test
}  // namespace warpfork::ptx
