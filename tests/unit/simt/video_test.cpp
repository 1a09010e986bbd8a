// Video instructions, a line each: by hand from the pseudo-code of PTX ISA, "Scalar Video Instructions" and "SIMD Video
// Instructions".
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "one_warp.h"

namespace warpfork::simt {
namespace video_test {

using testing::HasSubstr;

struct Value {
  const char* instruction;  // %r0 from %r1, %r2, %r3
  std::uint32_t r1, r2, r3, r0;
};

void PrintTo(const Value& value, std::ostream* out) {
  *out << fmt::format("{} of {:#x}, {:#x}, {:#x}", value.instruction, value.r1, value.r2, value.r3);
}

class VideoValue : public testing::TestWithParam<Value> {};

TEST_P(VideoValue, is_what_the_isa_says_in_every_build_of_the_handlers) {
  const Value& value = GetParam();
  for (const HostInstructionSet set :
       {HostInstructionSet::Baseline, HostInstructionSet::Avx2, HostInstructionSet::Avx512}) {
    if (set > host_instruction_set()) continue;
    OneWarp warp(value.instruction, set);
    warp.set("%r1", value.r1);
    warp.set("%r2", value.r2);
    warp.set("%r3", value.r3);
    warp.run();
    EXPECT_EQ(warp.lane("%r0"), value.r0);
    EXPECT_EQ(warp.lane("%r0", 31), value.r0);
  }
}

constexpr std::uint32_t kMinus1 = 0xffffffff, kLeast = 0x80000000, kMost = 0x7fffffff;

const Value kScalar[] = {
    {"vadd.u32.u32.u32 %r0, %r1, %r2;", kMinus1, 2, 0, 1},
    {"vadd.u32.u32.u32.sat %r0, %r1, %r2;", kMinus1, 2, 0, kMinus1},
    {"vadd.s32.u32.u32.sat %r0, %r1, %r2;", kMinus1, 2, 0, kMost},
    {"vadd.s32.u32.s32 %r0, %r1, %r2;", kMinus1, kMinus1, 0, 0xfffffffe},
    {"vsub.s32.u32.u32 %r0, %r1, %r2;", 1, 2, 0, kMinus1},
    {"vsub.u32.u32.u32.sat %r0, %r1, %r2;", 1, 2, 0, 0},
    {"vsub.s32.s32.s32.sat %r0, %r1, %r2;", kLeast, 1, 0, kLeast},
    {"vabsdiff.u32.s32.s32 %r0, %r1, %r2;", kLeast, kMost, 0, kMinus1},
    {"vabsdiff.s32.s32.s32.sat %r0, %r1, %r2;", kLeast, kMost, 0, kMost},
    {"vabsdiff.u32.u32.s32.sat %r0, %r1, %r2;", kMinus1, kMinus1, 0, kMinus1},  // 2^32 − 1 and −1
    {"vmin.s32.s32.u32 %r0, %r1, %r2;", kMinus1, 5, 0, kMinus1},
    {"vmin.u32.s32.s32.sat %r0, %r1, %r2;", kMinus1, 5, 0, 0},
    {"vmax.u32.s32.u32 %r0, %r1, %r2;", kMinus1, 5, 0, 5},
    {"vmax.s32.u32.u32.sat %r0, %r1, %r2;", kMinus1, 5, 0, kMost},
};
INSTANTIATE_TEST_SUITE_P(Scalar, VideoValue, testing::ValuesIn(kScalar));

const Value kParts[] = {
    {"vadd.s32.u32.s32 %r0, %r1.b0, %r2.h0;", 0x123456ff, 0x1234ffff, 0, 254},     // 255 and −1
    {"vadd.s32.s32.u32 %r0, %r1.b3, %r2.h1;", 0x80345678, 0xffff1234, 0, 0xff7f},  // −128 and 65535
    {"vsub.s32.s32.s32 %r0, %r1.b1, %r2.b2;", 0x00000500, 0x00ff0000, 0, 6},
    {"vadd.u32.u32.u32 %r0.b0, %r1, %r2, %r3;", 0xf0, 0x20, 0x11223344, 0x11223310},
    {"vadd.u32.u32.u32.sat %r0.b1, %r1.b3, %r2.b0, %r3;", 0xf0000000, 0x20, 0x11223344, 0x1122ff44},
    {"vadd.s32.s32.s32.sat %r0.b3, %r1, %r2, %r3;", 100, 100, 0x11223344, 0x7f223344},
    {"vsub.s32.s32.s32.sat %r0.h1, %r1, %r2, %r3;", kLeast, 1, 0x11223344, 0x80003344},
    {"vsub.u32.u32.u32 %r0.h0, %r1, %r2, %r3;", 0, 1, 0x11223344, 0x1122ffff},
    {"vmin.u32.u32.u32.sat %r0.h0, %r1, %r2, %r3;", 0x12345678, kMinus1, 0, 0xffff},
};
INSTANTIATE_TEST_SUITE_P(Parts, VideoValue, testing::ValuesIn(kParts));

// The third source has the sign of the first type.
const Value kSecondOperations[] = {
    {"vadd.u32.u32.u32.add %r0, %r1, %r2, %r3;", 1, 2, 10, 13},
    {"vsub.u32.u32.u32.sat.add %r0, %r1, %r2, %r3;", 1, 2, 10, 10},
    {"vmin.s32.s32.s32.max %r0, %r1, %r2, %r3;", 5, 0xfffffffd, 0xfffffff9, 0xfffffffd},
    {"vmax.u32.u32.u32.min %r0, %r1, %r2, %r3;", 3, 9, kMinus1, 9},
    {"vmax.s32.u32.u32.min %r0, %r1, %r2, %r3;", 3, 9, kMinus1, kMinus1},
    {"vabsdiff.u32.u32.u32.max %r0, %r1, %r2, %r3;", 3, 9, 5, 6},
    {"vshl.u32.u32.u32.clamp.add %r0, %r1, %r2, %r3;", 3, 4, 5, 53},
    {"vshl.u32.u32.u32.clamp.add %r0, %r1, %r2, %r3;", kMinus1, 31, kMinus1, kMost},
    {"vshr.s32.s32.u32.wrap.min %r0, %r1, %r2, %r3;", 64, 33, 31, 31},
    {"vset.u32.u32.ge.add %r0, %r1.b3, %r2.b3, %r3;", 0x02000000, 0x01ffffff, 7, 8},
    {"vset.u32.u32.ne.max %r0, %r1, %r2, %r3;", 4, 4, kMinus1, kMinus1},
};
INSTANTIATE_TEST_SUITE_P(SecondOperations, VideoValue, testing::ValuesIn(kSecondOperations));

const Value kShiftsAndComparisons[] = {
    {"vshl.u32.u32.u32.clamp %r0, %r1, %r2;", 3, 32, 0, 0},
    {"vshl.u32.u32.u32.clamp %r0, %r1, %r2;", 3, 31, 0, kLeast},
    {"vshl.u32.u32.u32.wrap %r0, %r1, %r2;", 3, 33, 0, 6},
    {"vshl.u32.u32.u32.sat.clamp %r0, %r1, %r2;", 1, kMinus1, 0, kMinus1},
    {"vshl.s32.s32.u32.sat.clamp %r0, %r1, %r2;", kMinus1, 32, 0, kLeast},
    {"vshl.s32.s32.u32.sat.clamp %r0, %r1, %r2;", 0, 32, 0, 0},
    {"vshl.u32.u32.u32.sat.clamp %r0, %r1, %r2;", kMinus1, 31, 0, kMinus1},
    {"vshr.s32.s32.u32.clamp %r0, %r1, %r2;", kLeast, 40, 0, kMinus1},
    {"vshr.u32.u32.u32.clamp %r0, %r1, %r2;", kLeast, 40, 0, 0},
    {"vshr.u32.u32.u32.wrap %r0, %r1, %r2.h1;", kLeast, 0x00281234, 0, 0x00800000},
    {"vshr.s32.s32.u32.clamp %r0, %r1.b1, %r2;", 0x00008000, 3, 0, 0xfffffff0},  // −128 / 8
    {"vset.s32.u32.lt %r0, %r1, %r2;", kMinus1, kMinus1, 0, 1},
    {"vset.u32.u32.lt %r0, %r1, %r2;", kMinus1, kMinus1, 0, 0},
    {"vset.s32.u32.gt %r0, %r1, %r2;", 5, kLeast, 0, 0},
    {"vset.u32.u32.eq %r0.h1, %r1, %r2, %r3;", 5, 5, 0xaaaabbbb, 0x0001bbbb},
    {"vset.u32.u32.le %r0.b2, %r1.b0, %r2.b0, %r3;", 6, 5, 0xaaaabbbb, 0xaa00bbbb},
};
INSTANTIATE_TEST_SUITE_P(ShiftsAndComparisons, VideoValue, testing::ValuesIn(kShiftsAndComparisons));

const Value kMultiplyAdd[] = {
    {"vmad.u32.u32.u32 %r0, %r1.b0, %r2.b1, %r3;", 0x103, 0x0500, 7, 22},
    {"vmad.u32.u32.u32.po %r0, %r1, %r2, %r3;", 3, 5, 7, 23},
    {"vmad.s32.u32.u32 %r0, -%r1, %r2, %r3;", 3, 5, 7, 0xfffffff8},
    {"vmad.s32.u32.u32 %r0, -%r1, -%r2, %r3;", 3, 5, 7, 22},
    {"vmad.s32.s32.s32 %r0, %r1.h1, %r2, -%r3;", 0xffff1234, 5, 7, 0xfffffff4},  // −5 − 7
    {"vmad.u32.u32.u32.shr7 %r0, %r1, %r2, %r3;", 0x10000, 0x10000, 0x80, 0x02000001},
    {"vmad.s32.s32.s32.shr15 %r0, %r1, %r2, %r3;", kMinus1, 1, 0, kMinus1},
    {"vmad.u32.u32.u32.shr15 %r0, %r1, %r2, %r3;", kMinus1, 1, 0, 0x1ffff},
    {"vmad.u32.u32.u32.po.shr7 %r0, %r1, %r2, %r3;", 1, 0x7f, 0, 1},
    {"vmad.u32.u32.u32.sat %r0, %r1, %r2, %r3;", kMinus1, kMinus1, kMinus1, kMinus1},
    {"vmad.s32.s32.s32.sat %r0, %r1, %r2, %r3;", kLeast, 2, 0, kLeast},
    {"vmad.s32.u32.s32.sat %r0, %r1, %r2, %r3;", kMinus1, 1, kMinus1, kMost},
    {"vmad.u32.u32.u32.sat %r0, -%r1, %r2, %r3;", 3, 5, 7, 0xfffffff8},  // signed, whatever the first type
    {"vmad.s32.u32.u32.sat %r0, %r1, %r2, -%r3;", 5, 6, 0x80000001, 0x8000001d},
    {"vmad.s32.u32.u32.sat %r0, %r1, %r2, -%r3;", 5, 6, kMinus1, kLeast},
};
INSTANTIATE_TEST_SUITE_P(MultiplyAdd, VideoValue, testing::ValuesIn(kMultiplyAdd));

const Value kSideBySide[] = {
    {"vadd4.u32.u32.u32 %r0, %r1, %r2, %r3;", 0x01f2f304, 0x0120f305, 0, 0x0212e609},
    {"vadd4.u32.u32.u32.sat %r0, %r1, %r2, %r3;", 0x01f2f304, 0x0120f305, 0, 0x02ffff09},
    {"vsub4.s32.s32.s32.sat %r0, %r1, %r2, %r3;", 0x807f0005, 0x01ff0006, 0, 0x807f00ff},
    {"vsub4.u32.u32.u32.sat %r0, %r1, %r2, %r3;", 0x807f0005, 0x01ff0006, 0, 0x7f000000},
    {"vadd4.u32.u32.s32 %r0, %r1, %r2, %r3;", 0x01000000, 0xff000000, 0, 0},
    {"vavrg4.u32.u32.u32 %r0, %r1, %r2, %r3;", 0x01ff0003, 0x02fe0003, 0, 0x02ff0003},
    {"vavrg4.s32.s32.s32 %r0, %r1, %r2, %r3;", 0xff0180fd, 0xfe02807f, 0, 0xfe02803e},
    {"vabsdiff4.s32.s32.s32.sat %r0, %r1, %r2, %r3;", 0x80000510, 0x7f010a0f, 0, 0x7f010501},
    {"vmin4.s32.s32.s32 %r0, %r1, %r2, %r3;", 0x80ff017f, 0x7f000280, 0, 0x80ff0180},
    {"vmin4.u32.s32.s32.sat %r0, %r1, %r2, %r3;", 0x80ff017f, 0x7f000280, 0, 0x00000100},
    {"vmax4.u32.u32.u32 %r0, %r1, %r2, %r3;", 0x80ff017f, 0x7f000280, 0, 0x80ff0280},
    {"vset4.u32.u32.gt %r0, %r1, %r2, %r3;", 0x01f2f304, 0x0120f305, 0, 0x00010000},
    {"vset4.s32.s32.ge %r0, %r1, %r2, %r3;", 0x01f2f304, 0x0120f305, 0, 0x01000100},
    {"vadd2.s32.s32.s32.sat %r0, %r1, %r2, %r3;", 0x7fff8000, 0x0001ffff, 0, 0x7fff8000},
    {"vsub2.u32.u32.u32 %r0, %r1, %r2, %r3;", 0x00010000, 0x00000001, 0, 0x0001ffff},
    {"vavrg2.s32.s32.s32 %r0, %r1, %r2, %r3;", 0xffff0001, 0xfffefffe, 0, 0xfffeffff},  // −1.5 and −0.5
    {"vmin2.u32.u32.u32 %r0, %r1, %r2, %r3;", 0x80000001, 0x7fffffff, 0, 0x7fff0001},
    {"vmax2.s32.s32.s32 %r0, %r1, %r2, %r3;", 0x80000001, 0x7fffffff, 0, 0x7fff0001},
    {"vset2.s32.s32.le %r0, %r1, %r2, %r3;", 0x80000001, 0x7fffffff, 0, 0x00010000},
    {"vset2.u32.u32.ne %r0, %r1, %r2, %r3;", 0x00050001, 0x00050002, 0, 0x00000001},
};
INSTANTIATE_TEST_SUITE_P(SideBySide, VideoValue, testing::ValuesIn(kSideBySide));

const Value kChosenParts[] = {
    {"vadd4.u32.u32.u32 %r0, %r1.b7210, %r2.b1111, %r3;", 0x44332211, 0x88776655, 0, 0xaa554433},
    {"vadd4.u32.u32.u32 %r0.b20, %r1, %r2, %r3;", 0x01010101, 0x02020202, 0xaabbccdd, 0xaa03cc03},
    {"vadd4.u32.u32.u32 %r0.b3, %r1, %r2, %r3;", 0x01010101, 0x02020202, 0xaabbccdd, 0x03bbccdd},
    {"vset4.u32.u32.eq %r0.b310, %r1, %r2, %r3;", 0x01020304, 0x01020305, 0xaabbccdd, 0x01bb0100},
    {"vsub2.u32.u32.u32 %r0, %r1.h31, %r2.h02, %r3;", 0x22221111, 0x44443333, 0, 0x3333eeef},
    {"vadd2.u32.u32.u32 %r0.h0, %r1, %r2, %r3;", 0x00010001, 0x00020002, 0xaaaabbbb, 0xaaaa0003},
};
INSTANTIATE_TEST_SUITE_P(ChosenParts, VideoValue, testing::ValuesIn(kChosenParts));

// What is added is no longer cut to the parts.
const Value kAccumulated[] = {
    {"vadd4.u32.u32.u32.add %r0, %r1, %r2, %r3;", 0xff000001, 0xff000002, 7, 510 + 3 + 7},
    {"vsub4.u32.u32.u32.add %r0, %r1, %r2, %r3;", 0x00000001, 0x00000003, 7, 5},
    {"vsub2.u32.u32.u32.add %r0.h1, %r1, %r2, %r3;", 0x00010005, 0x00030001, 100, 98},
    {"vset4.u32.u32.gt.add %r0, %r1, %r2, %r3;", 0x05050505, 0x05040302, 7, 10},
    {"vavrg2.s32.s32.s32.add %r0, %r1, %r2, %r3;", 0xffff0001, 0xfffefffe, 10, 7},
    {"vmax4.s32.s32.s32.add %r0.b10, %r1, %r2, %r3;", 0x7f7f0180, 0x7f7f0281, 0, 0xffffff83},  // 2 − 127
};
INSTANTIATE_TEST_SUITE_P(Accumulated, VideoValue, testing::ValuesIn(kAccumulated));

TEST(Video, a_result_may_be_written_over_its_sources_and_only_in_the_lanes_that_take_part) {
  OneWarp warp("@%p1 vadd.u32.u32.u32 %r1.b3, %r1.b0, %r1.b1, %r1;\n@%p1 vmad.u32.u32.u32 %r2, %r2, %r2, %r2;");
  warp.set("%r1", 0x00000304);
  warp.set("%r2", 9);
  warp.set_predicate("%p1", RowLanes(0x0000fff1));
  warp.run();
  EXPECT_EQ(warp.lane("%r1", 4), 0x07000304u);
  EXPECT_EQ(warp.lane("%r1", 3), 0x00000304u);
  EXPECT_EQ(warp.lane("%r2", 15), 90u);
  EXPECT_EQ(warp.lane("%r2", 16), 9u);
}

struct Refused {
  const char* instruction;
  const char* cause;
};

void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.instruction; }

class RefusedVideo : public testing::TestWithParam<Refused> {};

TEST_P(RefusedVideo, is_told_with_what_is_allowed) {
  EXPECT_THAT(refusal(GetParam().instruction), HasSubstr(GetParam().cause));
}

// What the ISA does not allow. NVIDIA's assembler takes the first, and drops the third source.
const Refused kRefused[] = {
    {"vadd.u32.u32.u32 %r0, %r1, %r2, %r3;",
     "a third source and .add, .min, .max or a part of the result belong together"},
    {"vadd.u32.u32.u32 %r0.b1, %r1, %r2;", "a third source and .add"},
    {"vadd.u32.u32.u32.add %r0, %r1, %r2;", "a third source and .add"},
    {"vadd.u32.u32.u32.max %r0.b0, %r1, %r2, %r3;", "exclude each other"},
    {"vadd.u32.u32.u32 %r0, %r1.b4, %r2;", "'.b4' is no part of a register: allowed are .b0 to .b3, .h0 and .h1"},
    {"vadd.u32.u32.u32 %r0, %r1.h2, %r2;", "'.h2' is no part of a register"},
    {"vadd.u32.u32.u32 %r0, %r1.b10, %r2;", "'.b10' is no part of a register"},
    {"vadd.u32.u32.u32.add %r0, %r1, %r2, %r3.b0;", "the third source is a whole register"},
    {"vadd.b32.u32.u32 %r0, %r1, %r2;", "'vadd.b32.u32.u32' is not supported"},
    {"vadd.u32.u32 %r0, %r1, %r2;", ".u32|.s32"},
    {"vmin.u32.u32.u32.min.max %r0, %r1, %r2, %r3;", "it cannot be '.max'"},
    {"vshl.u32.u32.s32.clamp %r0, %r1, %r2;", "it cannot be '.s32'"},
    {"vshl.u32.u32.u32 %r0, %r1, %r2;", "add: .clamp|.wrap"},
    {"vset.u32.u32.lo %r0, %r1, %r2;", "it cannot be '.lo'"},
    {"vset.u32.gt %r0, %r1, %r2;", "'vset.u32.gt' is not supported"},
    {"vmad.u32.u32.u32 %r0.b0, %r1, %r2, %r3;", "the result is a whole register"},
    {"vmad.s32.u32.u32 %r0, -%r1, %r2, -%r3;", "either the product or the third source is negated, not both"},
    {"vmad.s32.u32.u32.po %r0, %r1, %r2, -%r3;", "'.po' and a negated source exclude each other"},
    {"vadd4.u32.u32.u32.sat.add %r0, %r1, %r2, %r3;", "it cannot be '.add'"},
    {"vadd4.u32.u32.u32 %r0.b01, %r1, %r2, %r3;", "'.b01' names no parts of the result: allowed are .b and digits"},
    {"vadd4.u32.u32.u32 %r0.h1, %r1, %r2, %r3;", "'.h1' names no parts of the result"},
    {"vadd4.u32.u32.u32 %r0, %r1.b10, %r2, %r3;", "'.b10' does not choose parts of both sources: allowed are .b and 4"},
    {"vadd2.u32.u32.u32 %r0.h2, %r1, %r2, %r3;", "'.h2' names no parts of the result"},
    {"vadd2.u32.u32.u32 %r0, %r1.h14, %r2, %r3;", "'.h14' does not choose parts of both sources: allowed are .h and 2"},
    {"vset2.u32.u32.gt %r0, %r1.b10, %r2, %r3;", "'.b10' does not choose parts of both sources"},
};
INSTANTIATE_TEST_SUITE_P(All, RefusedVideo, testing::ValuesIn(kRefused));

}  // namespace video_test
}  // namespace warpfork::simt
