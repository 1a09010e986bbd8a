// What decoding takes of an instruction: timing class, space and size of an access, rows of operands; and what it
// refuses, with the place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "one_warp.h"
#include "ptx/parser.h"

namespace warpfork::simt {
namespace decode_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

struct Timing {
  const char* instruction;
  TimingClass timing;
};

void PrintTo(const Timing& timing, std::ostream* out) { *out << timing.instruction; }

class TimingOf : public testing::TestWithParam<Timing> {};

// docs/machines.md, "execution units": classes of PTX opcodes.
TEST_P(TimingOf, follows_opcode_and_type) {
  EXPECT_EQ(to_string(OneWarp(GetParam().instruction).program().code[0].timing), to_string(GetParam().timing));
}

using enum TimingClass;
const Timing kTimings[] = {
    {"sub.u64 %d0, %d1, %d2;", IntAdd},
    {"addc.u32 %r0, %r1, %r2;", IntAdd},
    {"add.f32 %r0, %r1, %r2;", Fp32Add},
    {"sub.f64 %d0, %d1, %d2;", Fp64Add},
    {"add.f16 %h0, %h1, %h2;", Fp32Add},
    {"min.s32 %r0, %r1, %r2;", IntMinMax},
    {"max.f32 %r0, %r1, %r2;", Fp32MinMax},
    {"min.f64 %d0, %d1, %d2;", Fp64MinMax},
    {"mul.lo.s32 %r0, %r1, %r2;", IntMul},
    {"mul.wide.u32 %d0, %r1, %r2;", IntMul},
    {"mul.f32 %r0, %r1, %r2;", Fp32Mul},
    {"mul.f64 %d0, %d1, %d2;", Fp64Mul},
    {"mad.lo.s32 %r0, %r1, %r2, %r3;", IntMad},
    {"sad.u32 %r0, %r1, %r2, %r3;", IntMad},
    {"dp4a.u32.u32 %r0, %r1, %r2, %r3;", IntMad},
    {"vadd4.u32.u32.u32 %r0, %r1, %r2, %r3;", IntMad},
    {"vshl.u32.u32.u32.clamp %r0, %r1, %r2;", IntMad},
    {"vmad.u32.u32.u32 %r0, %r1, %r2, %r3;", IntMad},
    {"fma.rn.f32 %r0, %r1, %r2, %r3;", Fp32Mad},
    {"mad.rn.f64 %d0, %d1, %d2, %d3;", Fp64Mad},
    {"mul24.lo.u32 %r0, %r1, %r2;", IntMul24},
    {"mad24.lo.u32 %r0, %r1, %r2, %r3;", IntMad24},
    {"div.u32 %r0, %r1, %r2;", IntDiv},
    {"rem.s64 %d0, %d1, %d2;", IntDiv},
    {"div.rn.f32 %r0, %r1, %r2;", Fp32Div},
    {"div.rn.f64 %d0, %d1, %d2;", Fp64Div},
    {"rcp.approx.f32 %r0, %r1;", Special},
    {"sqrt.rn.f64 %d0, %d1;", Special},
    {"ex2.approx.f32 %r0, %r1;", Special},
    {"shfl.sync.up.b32 %r0, %r1, 1, 0, -1;", Shuffle},
    {"vote.sync.ballot.b32 %r0, %p0, -1;", Simple},
    {"setp.eq.f64 %p0, %d0, %d1;", Simple},
    {"cvt.rn.f32.s32 %r0, %r1;", Simple},
    {"mov.u32 %r0, %tid.x;", Simple},
    {"popc.b32 %r0, %r1;", Simple},
    {"prefetch.global.L1 [%d0];", Simple},
    {"bar.sync 0;", Control},
    {"exit;", Control},
    {"trap;", Control},
    {"ld.shared.u32 %r0, [%r1];", Memory},
    {"st.global.u32 [%d0], %r1;", Memory},
    {"red.global.add.u32 [%d0], 1;", Memory},
    {"membar.gl;", Memory},
};
INSTANTIATE_TEST_SUITE_P(All, TimingOf, testing::ValuesIn(kTimings));

TEST(TimingClass, names_are_the_keys_of_machine_files) {
  EXPECT_EQ(to_string(IntAdd), "int_add");
  EXPECT_EQ(to_string(Fp64MinMax), "fp64_minmax");
  EXPECT_EQ(to_string(Memory), "memory");
  EXPECT_EQ(to_string(TimingClass::kCount), "none");
}

struct Access {
  const char* instruction;
  InstructionKind kind;
  MemorySpace space;
  unsigned bytes;  // of a lane
};

void PrintTo(const Access& access, std::ostream* out) { *out << access.instruction; }

class AccessOf : public testing::TestWithParam<Access> {};

TEST_P(AccessOf, has_kind_space_and_bytes_of_all_elements) {
  const OneWarp warp(GetParam().instruction);
  const Instruction& decoded = warp.program().code[0];
  EXPECT_EQ(decoded.kind, GetParam().kind);
  EXPECT_EQ(decoded.space, GetParam().space);
  EXPECT_EQ(decoded.access_bytes, GetParam().bytes);
}

const Access kAccesses[] = {
    {"ld.global.u8 %r0, [%d0];", InstructionKind::Load, MemorySpace::Global, 1},
    {"ld.global.v2.f64 {%d0, %d1}, [%d2];", InstructionKind::Load, MemorySpace::Global, 16},
    {"ld.global.v4.u16 {%h0, %h1, %h2, %h3}, [%d2];", InstructionKind::Load, MemorySpace::Global, 8},
    {"ldu.global.u32 %r0, [%d0];", InstructionKind::Load, MemorySpace::Global, 4},
    {"ld.u64 %d0, [%d1];", InstructionKind::Load, MemorySpace::Generic, 8},
    {"ld.const.u32 %r0, [%d0];", InstructionKind::Load, MemorySpace::Const, 4},
    {"ld.param.u32 %r0, [number];", InstructionKind::Load, MemorySpace::Param, 4},
    {"ld.local.u32 %r0, [%d0];", InstructionKind::Load, MemorySpace::Local, 4},
    {"st.shared.v4.b32 [%r0], {%r1, 1, %r2, 2};", InstructionKind::Store, MemorySpace::Shared, 16},
    {"st.u16 [%d0], %h0;", InstructionKind::Store, MemorySpace::Generic, 2},
    {"atom.shared.add.u32 %r0, [%r1], 1;", InstructionKind::Atomic, MemorySpace::Shared, 4},
    {"atom.global.cas.b64 %d0, [%d1], %d2, %d3;", InstructionKind::Atomic, MemorySpace::Global, 8},
    {"red.add.f32 [%d0], %r1;", InstructionKind::Atomic, MemorySpace::Generic, 4},
};
INSTANTIATE_TEST_SUITE_P(All, AccessOf, testing::ValuesIn(kAccesses));

TEST(Decode, what_only_orders_memory_or_threads_has_no_handler) {
  const OneWarp warp("membar.gl;\nfence.acq_rel.gpu;\nbar.sync 0;\nexit;");
  for (Pc pc = 0; pc < 4; ++pc) EXPECT_EQ(warp.program().code[pc].handler, nullptr) << pc;
  EXPECT_EQ(warp.program().code[0].kind, InstructionKind::MemoryBarrier);
  EXPECT_EQ(warp.program().code[1].kind, InstructionKind::MemoryBarrier);
}

TEST(Decode, equal_literals_share_a_row_and_those_of_two_widths_do_not) {
  const OneWarp warp("min.u32 %r0, %r1, 7;\nmin.u32 %r2, %r1, 7;\nmin.u64 %d0, %d1, 7;");
  const auto& code = warp.program().code;
  EXPECT_EQ(code[0].operand[2], code[1].operand[2]);
  EXPECT_NE(code[0].operand[2], code[2].operand[2]);
  EXPECT_EQ(warp.program().constants.size(), 2u);
}

TEST(Decode, what_is_frequent_reads_a_literal_at_the_end_from_the_instruction) {
  const OneWarp warp("add.u32 %r0, %r1, -7;\nsetp.lt.s32 %p0, %r0, 5;\nmov.u64 %d0, 9;\nshl.b64 %d1, %d0, 3;");
  EXPECT_TRUE(warp.program().constants.empty());
  EXPECT_EQ(warp.program().code[0].immediate, 0xfffffff9u);
  EXPECT_EQ(warp.program().code[3].immediate, 3u);
}

TEST(Decode, a_special_register_has_one_row_for_each_component) {
  const OneWarp warp("mov.u32 %r0, %tid.x;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;");
  EXPECT_EQ(warp.program().specials.size(), 2u);
  EXPECT_EQ(warp.program().code[0].operand[1], warp.program().code[1].operand[1]);
}

TEST(Decode, registers_rows_come_before_those_of_literals) {
  const OneWarp warp("min.u32 %r0, %r1, 7;");
  const Program& program = warp.program();
  EXPECT_GE(program.constants.at(0).offset, program.register_bytes);
  EXPECT_LT(program.constants.at(0).offset, program.register_block_bytes);
}

struct Refused {
  const char* instruction;
  const char* cause;
};

void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.instruction; }

class RefusedByDecode : public testing::TestWithParam<Refused> {};

TEST_P(RefusedByDecode, is_told_with_its_place) {
  EXPECT_THAT(refusal(GetParam().instruction),
              AllOf(StartsWith("test.ptx:"), HasSubstr(": error: instruction '"), HasSubstr(GetParam().cause)));
}

const Refused kRefused[] = {
    {"tex.cube.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%d0, {%r4, %r5, %r6, %r6}];", "is not supported"},
    {"wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r0}, [%d0], 16;", "is not supported"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d0], [%r0], 16;",
     "'cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32' is not supported"},
    {"mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%r0], 4;",
     "is not supported\n    it is of sm_90 or later: build for an older architecture, too (code=compute_80)"},
    {"isspacep.const %p0, %d0;", "const"},
    {"mov.pred %p0, %is_explicit_cluster;", "%is_explicit_cluster is not supported\n    %cluster_nctarank says"},
    {"mov.u32 %r0, %is_explicit_cluster;", "%is_explicit_cluster is not supported"},  // it is a predicate
    {"lop3.b32 %r0, %r1, %r2, %r3, 256;", "the look-up table must be 0 to 255"},
    {"lop3.b32 %r0, %r1, %r2, %r3, %r4;", "the look-up table must be a literal"},
    {"setp.eq.and.s32 %p0, %r0, %r1;", "a predicate as the last operand and .and, .or or .xor belong together"},
    {"setp.eq.s32 %p0, %r0, %r1, %p1;", "a predicate as the last operand and .and, .or or .xor belong together"},
    {"ld.shared.u32 %r0, [number];", "'number' lies in another state space"},
    {"ld.global.u32 %r0, [%p0];", "a predicate is no address"},
    {"ld.global.v2.u32 {%r0, %d0}, [%d1];", "the registers of a vector must be of one width"},
    {"mov.u32 %r0, %clock64;", "a special register is not .u32"},
    {"shfl.sync.up.b32 %r0, %r1, 1, 0;", "4 operands where 5 are allowed"},
    {"vote.all.pred %p0, %p1, -1;", "3 operands where 2 are allowed"},
    {"bar.sync.popc 0;", "is not supported"},
    {"bar.sync 1, 1056;", "1056 threads where a multiple of 32 up to 1024 is allowed"},
    {"cvt.rn.f32.f64 %d0, %d1;", "is not supported"},  // only integers may be narrower than their registers
    {"st.global.v2.u32 [%d0], {%r0, %d1};", "the registers of a vector must be of one width"},
    {"st.const.u32 [%d0], %r0;", "is not supported"},
    {"atom.shared.mbarrier.u64 %d0, [%r0], %d1;", "mbarrier"},
    {"atom.local.add.u32 %r0, [%d0], 1;", "is not supported"},
    {"atom.const.add.u32 %r0, [%d0], 1;", "is not supported"},
    {"atom.global.min.f32 %r0, [%d0], %r1;", "is not supported"},
    {"atom.global.inc.u64 %d0, [%d1], %d2;", "is not supported"},
    {"madc.wide.u32 %d0, %r1, %r2, %d3;", "is not supported"},
    {"bfe.u16 %h0, %h1, 1, 2;", "is not supported"},
    {"match.any.sync.b32 7, %r1, -1;", "a result needs a register"},
    {"barrier.sync %r0, 33;", "33 threads where a multiple of 32 up to 1024 is allowed"},
};
INSTANTIATE_TEST_SUITE_P(All, RefusedByDecode, testing::ValuesIn(kRefused));

}  // namespace decode_test
}  // namespace warpfork::simt
