// Which words each opcode takes, as the syntax lines of the PTX ISA's chapters have them: a form that is taken stands
// beside the same one with a word that belongs to another type, space or opcode.
#include <gtest/gtest.h>

#include "ptx/word_set.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace word_table_test {

struct Words {
  const char* taken;
  const char* refused;
  const char* word;  // of `refused`, that is one too many
};

void PrintTo(const Words& words, std::ostream* out) { *out << words.refused; }

class WordTable : public testing::TestWithParam<Words> {};

TEST_P(WordTable, takes_the_isas_words_and_refuses_others) {
  const auto none = refused_word(parse_instruction(GetParam().taken));
  EXPECT_FALSE(none) << GetParam().taken << ": " << none->text;
  const auto refused = refused_word(parse_instruction(GetParam().refused));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->text, GetParam().word);
}

const Words kInteger[] = {
    {"add.cc.u32 %r0, %r1, %r2;", "add.cc.f32 %f0, %f1, %f2;", "cc"},
    {"sub.sat.s32 %r0, %r1, %r2;", "sub.sat.s64 %rd0, %rd1, %rd2;", "sat"},
    {"addc.cc.u32 %r0, %r1, %r2;", "addc.sat.s32 %r0, %r1, %r2;", "sat"},
    {"mul.hi.u64 %rd0, %rd1, %rd2;", "mul.hi.cc.u32 %r0, %r1, %r2;", "cc"},
    {"mad.hi.sat.s32 %r0, %r1, %r2, %r3;", "mad.hi.sat.u32 %r0, %r1, %r2, %r3;", "sat"},
    {"mad.lo.cc.u32 %r0, %r1, %r2, %r3;", "mad.lo.hi.u32 %r0, %r1, %r2, %r3;", "hi"},
    {"mul24.hi.u32 %r0, %r1, %r2;", "mul24.wide.u32 %r0, %r1, %r2;", "wide"},
    {"mad24.hi.sat.s32 %r0, %r1, %r2, %r3;", "mad24.lo.sat.u32 %r0, %r1, %r2, %r3;", "sat"},
    {"sad.u32 %r0, %r1, %r2, %r3;", "sad.sat.u32 %r0, %r1, %r2, %r3;", "sat"},
    {"div.s64 %rd0, %rd1, %rd2;", "div.approx.s32 %r0, %r1, %r2;", "approx"},
    {"rem.u16 %h0, %h1, %h2;", "rem.rn.u32 %r0, %r1, %r2;", "rn"},
    {"min.s32 %r0, %r1, %r2;", "min.NaN.s32 %r0, %r1, %r2;", "NaN"},
    {"abs.s64 %rd0, %rd1;", "abs.ftz.s32 %r0, %r1;", "ftz"},
    {"popc.b64 %r0, %rd1;", "popc.sat.b32 %r0, %r1;", "sat"},
    {"bfind.shiftamt.u32 %r0, %r1;", "clz.shiftamt.b32 %r0, %r1;", "shiftamt"},
    {"szext.wrap.u32 %r0, %r1, %r2;", "bfe.wrap.u32 %r0, %r1, %r2, %r3;", "wrap"},
    {"bmsk.clamp.b32 %r0, %r1, %r2;", "bmsk.clamp.wrap.b32 %r0, %r1, %r2;", "wrap"},
    {"dp2a.hi.s32.u32 %r0, %r1, %r2, %r3;", "dp4a.hi.s32.u32 %r0, %r1, %r2, %r3;", "hi"},
};
INSTANTIATE_TEST_SUITE_P(Integer, WordTable, testing::ValuesIn(kInteger));

const Words kFloat[] = {
    {"add.rm.ftz.sat.f32 %f0, %f1, %f2;", "add.rm.sat.f64 %d0, %d1, %d2;", "sat"},
    {"sub.rn.f16 %h0, %h1, %h2;", "sub.rz.f16 %h0, %h1, %h2;", "rz"},
    {"mul.rp.f64 %d0, %d1, %d2;", "mul.approx.f64 %d0, %d1, %d2;", "approx"},
    {"fma.rn.sat.f16x2 %r0, %r1, %r2, %r3;", "fma.rn.sat.bf16x2 %r0, %r1, %r2, %r3;", "sat"},
    {"div.full.ftz.f32 %f0, %f1, %f2;", "div.full.f64 %d0, %d1, %d2;", "full"},
    {"rcp.rz.ftz.f32 %f0, %f1;", "rcp.sat.f32 %f0, %f1;", "sat"},
    {"rcp.approx.ftz.f64 %d0, %d1;", "sqrt.approx.f64 %d0, %d1;", "approx"},
    {"rsqrt.approx.ftz.f32 %f0, %f1;", "rsqrt.rn.f32 %f0, %f1;", "rn"},
    {"ex2.approx.ftz.f32 %f0, %f1;", "tanh.approx.ftz.f32 %f0, %f1;", "ftz"},
    {"sin.approx.f32 %f0, %f1;", "lg2.full.f32 %f0, %f1;", "full"},
    {"testp.subnormal.f64 %p0, %d1;", "testp.finite.normal.f32 %p0, %f1;", "normal"},
    {"copysign.f64 %d0, %d1, %d2;", "copysign.ftz.f32 %f0, %f1, %f2;", "ftz"},
    {"max.ftz.NaN.xorsign.abs.f32 %f0, %f1, %f2;", "max.ftz.f64 %d0, %d1, %d2;", "ftz"},
    {"neg.ftz.f16x2 %r0, %r1;", "neg.ftz.bf16 %h0, %h1;", "ftz"},
};
INSTANTIATE_TEST_SUITE_P(Float, WordTable, testing::ValuesIn(kFloat));

const Words kComparison[] = {
    {"slct.ftz.f32.f32 %f0, %f1, %f2, %f3;", "slct.ftz.u32.s32 %r0, %r1, %r2, %r3;", "ftz"},
    {"selp.f64 %d0, %d1, %d2, %p0;", "selp.ftz.f32 %f0, %f1, %f2, %p0;", "ftz"},
};
INSTANTIATE_TEST_SUITE_P(Comparison, WordTable, testing::ValuesIn(kComparison));

const Words kConversion[] = {
    {"cvt.sat.u8.s32 %r0, %r1;", "cvt.rn.u32.s32 %r0, %r1;", "rn"},
    {"cvt.rmi.ftz.s32.f32 %r0, %f1;", "cvt.rm.s32.f32 %r0, %f1;", "rm"},
    {"cvt.rp.f32.u64 %f0, %rd1;", "cvt.rpi.f32.u64 %f0, %rd1;", "rpi"},
    {"cvt.rni.ftz.f32.f32 %f0, %f1;", "cvt.rni.ftz.f64.f64 %d0, %d1;", "ftz"},
    {"cvt.ftz.f64.f32 %d0, %f1;", "cvt.rn.f64.f32 %d0, %f1;", "rn"},
    {"cvt.rz.ftz.f32.f64 %f0, %d1;", "cvt.rzi.f32.f64 %f0, %d1;", "rzi"},
    {"cvta.to.shared.u64 %rd0, %rd1;", "cvta.to.shared.local.u64 %rd0, %rd1;", "local"},
    {"isspacep.global %p0, %rd0;", "isspacep.to.global %p0, %rd0;", "to"},
    {"mov.b32 %r0, %r1;", "mov.sat.b32 %r0, %r1;", "sat"},
    {"prmt.ecl.b32 %r0, %r1, %r2, %r3;", "prmt.ecl.ecr.b32 %r0, %r1, %r2, %r3;", "ecr"},
};
INSTANTIATE_TEST_SUITE_P(Conversion, WordTable, testing::ValuesIn(kConversion));

const Words kMemory[] = {
    {"ld.global.nc.L1::evict_last.v4.f32 {%f0,%f1,%f2,%f3}, [%rd0];", "ld.nc.f32 %f0, [%rd0];", "nc"},
    {"ld.volatile.shared.u32 %r0, [%r1];", "ld.shared.L2::128B.u32 %r0, [%r1];", "L2::128B"},
    {"ld.relaxed.sys.u32 %r0, [%rd1];", "ld.relaxed.acquire.u32 %r0, [%rd1];", "acquire"},
    {"ld.cv.u32 %r0, [%rd1];", "st.cv.u32 [%rd1], %r0;", "cv"},
    {"st.wt.global.v2.u64 [%rd0], {%rd1, %rd2};", "ld.wt.global.u64 %rd1, [%rd0];", "wt"},
    {"st.release.gpu.u32 [%rd0], 1;", "st.acquire.gpu.u32 [%rd0], 1;", "acquire"},
    {"ldu.global.v2.f32 {%f0, %f1}, [%rd0];", "ldu.shared.f32 %f0, [%r0];", "shared"},
    {"prefetch.global.L1 [%rd0];", "prefetch.shared.L1 [%rd0];", "shared"},
    {"prefetchu.L1 [%rd0];", "prefetchu.L2 [%rd0];", "L2"},
    {"atom.acq_rel.gpu.global.inc.u32 %r0, [%rd0], 1;", "atom.global.inc.dec.u32 %r0, [%rd0], 1;", "dec"},
    {"atom.shared.exch.b64 %rd0, [%r0], %rd1;", "red.shared.exch.b64 [%r0], %rd1;", "exch"},
    {"atom.cas.b32 %r0, [%rd0], 1, 2;", "atom.local.add.u32 %r0, [%rd0], 1;", "local"},
    {"red.relaxed.sys.global.max.s32 [%rd0], 1;", "red.global.v2.add.u32 [%rd0], %r0;", "v2"},
    {"atom.global.add.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0], {%f0, %f1, %f2, %f3};",
     "atom.global.add.v8.f32 %f0, [%rd0], %f1;", "v8"},
    {"fence.mbarrier_init.release.cluster;", "fence.proxy.async.alias;", "alias"},
};
INSTANTIATE_TEST_SUITE_P(Memory, WordTable, testing::ValuesIn(kMemory));

const Words kControl[] = {
    {"L: bra.uni L;", "L: bra.sat L;", "sat"},
    {"ret.uni;", "exit.uni;", "uni"},
    {"bar.cta.sync 0;", "bar.sync.arrive 0, 32;", "arrive"},
    {"bar.red.or.pred %p0, 0, %p1;", "bar.red.popc.and.u32 %r0, 0, %p1;", "and"},
    {"barrier.sync.aligned 1;", "bar.sync.aligned 1;", "aligned"},
    {"membar.sys;", "membar.gpu;", "gpu"},
    {"fence.acq_rel.gpu;", "fence.acq_rel.gl;", "gl"},
    {"vote.sync.uni.pred %p0, %p1, -1;", "vote.all.any.pred %p0, %p1;", "any"},
    {"shfl.sync.up.b32 %r0, %r1, 1, 0, -1;", "shfl.up.down.b32 %r0, %r1, 1, 0;", "down"},
    {"match.any.sync.b32 %r0, %r1, -1;", "match.any.all.sync.b32 %r0, %r1, -1;", "all"},
    {"redux.sync.max.s32 %r0, %r1, -1;", "redux.sync.inc.u32 %r0, %r1, -1;", "inc"},
};
INSTANTIATE_TEST_SUITE_P(Control, WordTable, testing::ValuesIn(kControl));

struct Missing {
  const char* text;
  const char* words;  // of which one must be there
};

void PrintTo(const Missing& missing, std::ostream* out) { *out << missing.text; }

class MandatoryWord : public testing::TestWithParam<Missing> {};

TEST_P(MandatoryWord, is_named_with_all_its_alternatives) {
  EXPECT_EQ(missing_word(parse_instruction(GetParam().text)), GetParam().words);
}

const Missing kMissing[] = {
    {"mad.u32 %r0, %r1, %r2, %r3;", ".lo|.hi|.wide"},
    {"mul24.u32 %r0, %r1, %r2;", ".lo|.hi"},
    {"fma.f32 %f0, %f1, %f2, %f3;", ".rn|.rz|.rm|.rp"},
    {"mad.f64 %d0, %d1, %d2, %d3;", ".rn|.rz|.rm|.rp"},
    {"div.f32 %f0, %f1, %f2;", ".rn|.rz|.rm|.rp|.approx|.full"},
    {"sin.f32 %f0, %f1;", ".approx"},
    {"testp.f32 %p0, %f0;", ".finite|.infinite|.number|.notanumber|.normal|.subnormal"},
    {"cvt.s32.f32 %r0, %f0;", ".rni|.rzi|.rmi|.rpi"},
    {"shf.l.b32 %r0, %r1, %r2, 1;", ".clamp|.wrap"},
    {"isspacep %p0, %rd0;", ".global|.shared|.local|.param"},
    {"shfl.b32 %r0, %r1, 1, 31;", ".up|.down|.bfly|.idx"},
    {"vote.pred %p0, %p1;", ".all|.any|.uni|.ballot"},
    {"match.any.b32 %r0, %r1, -1;", ".sync"},
    {"bar 0;", ".sync|.arrive|.red"},
    {"atom.global.u32 %r0, [%rd0], 1;", ".add|.min|.max|.and|.or|.xor|.inc|.dec|.exch|.cas"},
};
INSTANTIATE_TEST_SUITE_P(All, MandatoryWord, testing::ValuesIn(kMissing));

struct Count {
  const char* instruction;
  const char* given;
  const char* taken;
};

void PrintTo(const Count& count, std::ostream* out) { *out << count.instruction; }

class OperandCount : public testing::TestWithParam<Count> {};

TEST_P(OperandCount, is_told_with_what_the_opcode_takes) {
  const std::string error = body_error(GetParam().instruction);
  EXPECT_NE(error.find(GetParam().given), std::string::npos) << error;
  EXPECT_NE(error.find(std::string("it takes ") + GetParam().taken), std::string::npos) << error;
}

const Count kCounts[] = {
    {"abs.s32 %r0, %r1, %r2;", "'abs' with 3 operands", "2"},
    {"mad.lo.s32 %r0, %r1, %r2;", "'mad' with 3 operands", "4"},
    {"bfi.b32 %r0, %r1, %r2, %r3;", "'bfi' with 4 operands", "5"},
    {"min.f32 %f0;", "'min' with 1 operand", "3 to 4"},
    {"setp.eq.s32 %p0, %r0;", "'setp' with 2 operands", "3 to 4"},
    {"lop3.b32 %r0, %r1, %r2, %r3;", "'lop3' with 4 operands", "5 to 6"},
    {"mov.b32 %r0;", "'mov' with 1 operand", "2"},
    {"ld.u32 %r0;", "'ld' with 1 operand", "2 to 3"},
    {"st.u32 [%rd0];", "'st' with 1 operand", "2 to 3"},
    {"atom.add.u32 %r0, [%rd0];", "'atom' with 2 operands", "3 to 5"},
    {"exit %r0;", "'exit' with 1 operand", "0"},
    {"membar.gl 1;", "'membar' with 1 operand", "0"},
    {"vote.all.pred %p0;", "'vote' with 1 operand", "2 to 3"},
    {"bar.sync 0, 1, 2, 3, 4;", "'bar' with 5 operands", "1 to 2"},
    {"pmevent;", "'pmevent' with 0 operands", "1"},
};
INSTANTIATE_TEST_SUITE_P(All, OperandCount, testing::ValuesIn(kCounts));

}  // namespace word_table_test
}  // namespace warpfork::ptx
