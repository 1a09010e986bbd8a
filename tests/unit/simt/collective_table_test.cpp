// Warp-wide instructions, a line each, by hand from the pseudo-code of the PTX ISA ("shfl.sync", "vote.sync",
// "match.sync", "redux.sync").
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "one_warp.h"

namespace warpfork::simt {
namespace collective_table_test {

struct Shuffle {
  const char* mode;
  unsigned b, c;  // c: clamp in bits 4 to 0, segment mask in bits 12 to 8
  unsigned lane, source;
  bool within;  // whether the source is in the lane's segment
};

void PrintTo(const Shuffle& shuffle, std::ostream* out) {
  *out << fmt::format("{} {}, {:#x} of lane {}", shuffle.mode, shuffle.b, shuffle.c, shuffle.lane);
}

class ShuffleOf : public testing::TestWithParam<Shuffle> {};

TEST_P(ShuffleOf, reads_the_lane_that_the_isa_computes) {
  const Shuffle& shuffle = GetParam();
  OneWarp warp(fmt::format("mov.u32 %r1, %laneid;\nshfl.sync.{}.b32 %r0|%p0, %r1, {}, {}, -1;", shuffle.mode, shuffle.b,
                           shuffle.c));
  warp.run();
  EXPECT_EQ(warp.lane("%r0", shuffle.lane), shuffle.source);
  EXPECT_EQ(warp.predicate("%p0").contains(shuffle.lane), shuffle.within);
}

constexpr unsigned kWhole = 0x1f, kEights = 0x181f, kEightsUp = 0x1800;

const Shuffle kShuffles[] = {
    {"up", 1, 0, 5, 4, true},           {"up", 1, 0, 0, 0, false},         {"up", 6, 0, 5, 5, false},
    {"up", 1, kEightsUp, 9, 8, true},   {"up", 1, kEightsUp, 8, 8, false}, {"down", 1, kWhole, 30, 31, true},
    {"down", 1, kWhole, 31, 31, false}, {"down", 2, kEights, 5, 7, true},  {"down", 2, kEights, 6, 6, false},
    {"bfly", 1, kWhole, 4, 5, true},    {"bfly", 31, kWhole, 0, 31, true}, {"bfly", 16, 0x0f, 3, 3, false},
    {"bfly", 4, kEights, 9, 13, true},  {"bfly", 8, kEights, 9, 1, true},  {"idx", 5, kWhole, 20, 5, true},
    {"idx", 5, kEights, 12, 13, true},  {"idx", 12, kEights, 3, 4, true},  {"idx", 20, 0x0f, 3, 3, false},
    {"idx", 0, kEights, 31, 24, true},
};
INSTANTIATE_TEST_SUITE_P(All, ShuffleOf, testing::ValuesIn(kShuffles));

struct Vote {
  std::uint32_t yes;
  bool all, any, uni;
};

void PrintTo(const Vote& vote, std::ostream* out) { *out << fmt::format("{:#x}", vote.yes); }

class VoteOf : public testing::TestWithParam<Vote> {};

// The lower half of the warp votes, the predicates of the upper one do not count.
TEST_P(VoteOf, counts_the_members_that_execute_it) {
  OneWarp warp(
      "vote.sync.all.pred %p1, %p0, 0xffff;\nvote.sync.any.pred %p2, %p0, 0xffff;\n"
      "vote.sync.uni.pred %p3, %p0, 0xffff;\nvote.sync.ballot.b32 %r0, %p0, 0xffff;");
  warp.set_predicate("%p0", RowLanes(GetParam().yes));
  warp.run(RowLanes::first(16));
  EXPECT_EQ(warp.predicate("%p1").contains(3), GetParam().all);
  EXPECT_EQ(warp.predicate("%p2").contains(3), GetParam().any);
  EXPECT_EQ(warp.predicate("%p3").contains(3), GetParam().uni);
  EXPECT_EQ(warp.lane("%r0", 3), GetParam().yes & 0xffff);
}

INSTANTIATE_TEST_SUITE_P(All, VoteOf,
                         testing::Values(Vote{0, false, false, true}, Vote{0xffff, true, true, true},
                                         Vote{0xfffe, false, true, false}, Vote{0x0001, false, true, false},
                                         Vote{0xffff0000, false, false, true}));

struct Reduction {
  const char* operation;
  std::uint32_t result;
};

void PrintTo(const Reduction& reduction, std::ostream* out) { *out << reduction.operation; }

class ReductionOf : public testing::TestWithParam<Reduction> {};

// Lane i has −i; 32 lanes.
TEST_P(ReductionOf, has_every_members_value_in_every_lane) {
  OneWarp warp(
      fmt::format("mov.u32 %r1, %laneid;\nneg.s32 %r1, %r1;\nredux.sync.{} %r0, %r1, -1;", GetParam().operation));
  warp.run();
  for (const unsigned lane : {0u, 17u, 31u}) EXPECT_EQ(warp.lane("%r0", lane), GetParam().result);
}

INSTANTIATE_TEST_SUITE_P(All, ReductionOf,
                         testing::Values(Reduction{"add.s32", static_cast<std::uint32_t>(-496)},
                                         Reduction{"add.u32", static_cast<std::uint32_t>(-496)},
                                         Reduction{"min.s32", static_cast<std::uint32_t>(-31)}, Reduction{"max.s32", 0},
                                         Reduction{"min.u32", 0}, Reduction{"max.u32", 0xffffffff},
                                         Reduction{"and.b32", 0}, Reduction{"or.b32", 0xffffffff},
                                         Reduction{"xor.b32", 0xffffffe0},
                                         // As floats all but lane 0's are NaN.
                                         Reduction{"min.f32", 0}, Reduction{"max.f32", 0}, Reduction{"max.abs.f32", 0},
                                         Reduction{"max.NaN.f32", 0x7fffffff},
                                         Reduction{"min.abs.NaN.f32", 0x7fffffff}));

TEST(Match, lanes_of_one_value_find_each_other_and_all_says_whether_there_is_but_one) {
  OneWarp warp(
      "mov.u32 %r1, %laneid;\nand.b32 %r1, %r1, 3;\nmatch.any.sync.b32 %r2, %r1, -1;\n"
      "match.all.sync.b32 %r3|%p1, %r1, -1;\nmatch.all.sync.b32 %r4|%p2, 7, -1;");
  warp.run();
  EXPECT_EQ(warp.lane("%r2", 1), 0x22222222u);
  EXPECT_EQ(warp.lane("%r3", 1), 0u);
  EXPECT_TRUE(warp.predicate("%p1").none());
  EXPECT_EQ(warp.lane("%r4", 1), 0xffffffffu);
  EXPECT_TRUE(warp.predicate("%p2").contains(1));
}

TEST(Elect, chooses_one_lane_of_those_that_execute_it) {
  OneWarp warp("elect.sync %r0|%p0, 0xf0;");
  warp.run(RowLanes(0xf0));
  EXPECT_EQ(warp.predicate("%p0").count(), 1u);
  EXPECT_TRUE(warp.predicate("%p0").contains(warp.lane("%r0", 4)));
}

/// Of lanes 1, 2 and 4 with the values 3, −4 and 6, by a member mask of just these.
class ReductionOfThree : public testing::TestWithParam<Reduction> {};

TEST_P(ReductionOfThree, has_no_value_of_other_lanes) {
  OneWarp warp(fmt::format("redux.sync.{} %r0, %r1, 0b10110;", GetParam().operation));
  Lanes32 values;
  values.fill(0x1000001);
  values[1] = 3;
  values[2] = 0xfffffffc;
  values[4] = 6;
  warp.set("%r0", 77);
  warp.set("%r1", values);
  warp.run(RowLanes(0b10110));
  for (const unsigned lane : {1u, 2u, 4u}) EXPECT_EQ(warp.lane("%r0", lane), GetParam().result);
  EXPECT_EQ(warp.lane("%r0", 3), 77u);
}

INSTANTIATE_TEST_SUITE_P(All, ReductionOfThree,
                         testing::Values(Reduction{"add.s32", 5}, Reduction{"min.s32", 0xfffffffc},
                                         Reduction{"max.s32", 6}, Reduction{"min.u32", 3},
                                         Reduction{"max.u32", 0xfffffffc}, Reduction{"and.b32", 0},
                                         Reduction{"or.b32", 0xffffffff}, Reduction{"xor.b32", 0xfffffff9}));

// Lanes 1 to 3 have 1, -2 and 3, the others -4.
TEST(ReductionOfFloats, is_by_value_or_by_magnitude) {
  const auto reduced = [](const char* operation) {
    OneWarp warp(fmt::format("redux.sync.{}.f32 %r0, %r1, 0b1110;", operation));
    Lanes32 values;
    values.fill(0xc0800000);
    values[1] = 0x3f800000;
    values[2] = 0xc0000000;
    values[3] = 0x40400000;
    warp.set("%r1", values);
    warp.run(RowLanes(0b1110));
    return warp.lane("%r0", 2);
  };
  EXPECT_EQ(reduced("min"), 0xc0000000u);
  EXPECT_EQ(reduced("max"), 0x40400000u);
  EXPECT_EQ(reduced("min.abs"), 0x3f800000u);
  EXPECT_EQ(reduced("max.abs.NaN"), 0x40400000u);
}

TEST(Match, compares_all_64_bits) {
  OneWarp warp(
      "mov.u32 %r1, %laneid;\nshr.u32 %r2, %r1, 4;\nmov.b64 %d1, {5, %r2};\n"
      "match.any.sync.b64 %r3, %d1, -1;\nmatch.all.sync.b64 %r4|%p1, %d1, -1;\nmatch.all.sync.b64 %r5|%p2, 9, -1;");
  warp.run();
  EXPECT_EQ(warp.lane("%r3", 15), 0x0000ffffu);
  EXPECT_EQ(warp.lane("%r3", 16), 0xffff0000u);
  EXPECT_EQ(warp.lane("%r4", 3), 0u);
  EXPECT_TRUE(warp.predicate("%p1").none());
  EXPECT_EQ(warp.lane("%r5", 3), 0xffffffffu);
  EXPECT_TRUE(warp.predicate("%p2").full());
}

TEST(Match, members_of_one_mask_need_not_look_at_those_of_another) {
  OneWarp warp(
      "mov.u32 %r1, %laneid;\nand.b32 %r2, %r1, 16;\nsetp.eq.u32 %p0, %r2, 0;\n"
      "selp.b32 %r3, 0x0000ffff, 0xffff0000, %p0;\nmatch.all.sync.b32 %r4|%p1, %r2, %r3;");
  warp.run();
  EXPECT_EQ(warp.lane("%r4", 0), 0x0000ffffu);
  EXPECT_EQ(warp.lane("%r4", 31), 0xffff0000u);
  EXPECT_TRUE(warp.predicate("%p1").full());
}

TEST(Shuffles, each_lane_may_name_another_distance_and_segment) {
  OneWarp warp(
      "mov.u32 %r1, %laneid;\nxor.b32 %r2, %r1, 5;\nshfl.sync.idx.b32 %r3, %r1, %r2, 31, -1;\n"
      "setp.lt.u32 %p0, %r1, 16;\nselp.b32 %r4, 0x1c00, 0, %p0;\nshfl.sync.up.b32 %r5|%p1, %r1, 2, %r4, -1;");
  warp.run();
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(warp.lane("%r3", lane), lane ^ 5);
  EXPECT_EQ(warp.lane("%r5", 4), 4u) << "the first of a segment of four";
  EXPECT_EQ(warp.lane("%r5", 6), 4u);
  EXPECT_EQ(warp.lane("%r5", 16), 14u);
  EXPECT_EQ(warp.predicate("%p1"), RowLanes(0xffffcccc));
}

TEST(Votes, the_predicate_may_be_negated) {
  OneWarp warp(
      "vote.sync.all.pred %p1, !%p0, -1;\nvote.sync.any.pred %p2, !%p0, -1;\nvote.sync.uni.pred %p3, !%p0, -1;\n"
      "vote.sync.ballot.b32 %r0, !%p0, -1;");
  warp.set_predicate("%p0", RowLanes(0xfffffffe));
  warp.run();
  EXPECT_TRUE(warp.predicate("%p1").none());
  EXPECT_TRUE(warp.predicate("%p2").full());
  EXPECT_TRUE(warp.predicate("%p3").none());
  EXPECT_EQ(warp.lane("%r0", 9), 1u);
}

struct Half {
  const char* instruction;  // %h0 of %h1 and %h2
  std::uint32_t h1, h2, h0;
};

void PrintTo(const Half& half, std::ostream* out) {
  *out << fmt::format("{} of {:#x}, {:#x}", half.instruction, half.h1, half.h2);
}

class HalfOf : public testing::TestWithParam<Half> {};

// IEEE 754 binary16: 1 is 0x3c00, 2 is 0x4000, the largest number 65504 is 0x7bff; bfloat16: 1 is 0x3f80, 2 is 0x4000.
TEST_P(HalfOf, is_computed_in_its_own_format) {
  OneWarp warp(
      fmt::format("cvt.u16.u32 %h1, %r1;\ncvt.u16.u32 %h2, %r2;\n{}\ncvt.u32.u16 %r0, %h0;", GetParam().instruction));
  warp.set("%r1", GetParam().h1);
  warp.set("%r2", GetParam().h2);
  warp.run();
  EXPECT_EQ(warp.lane("%r0", 7), GetParam().h0);
}

const Half kHalves[] = {
    {"add.f16 %h0, %h1, %h2;", 0x3c00, 0x3c00, 0x4000},
    {"add.f16 %h0, %h1, %h2;", 0x7bff, 0x7bff, 0x7c00},
    {"sub.f16 %h0, %h1, %h2;", 0x7c00, 0x7c00, 0x7fff},
    {"mul.f16 %h0, %h1, %h2;", 0x4000, 0xbc00, 0xc000},
    {"fma.rn.f16 %h0, %h1, %h2, %h1;", 0x3c00, 0x3c00, 0x4000},
    {"add.sat.f16 %h0, %h1, %h2;", 0x3c00, 0x3c00, 0x3c00},
    {"add.ftz.f16 %h0, %h1, %h2;", 0x0001, 0x0001, 0},
    {"neg.f16 %h0, %h1;", 0x3c00, 0, 0xbc00},
    {"abs.f16 %h0, %h1;", 0xbc00, 0, 0x3c00},
    {"min.f16 %h0, %h1, %h2;", 0x7e00, 0x3c00, 0x3c00},
    {"max.NaN.f16 %h0, %h1, %h2;", 0x7e00, 0x3c00, 0x7fff},
    {"min.bf16 %h0, %h1, %h2;", 0x3f80, 0x4000, 0x3f80},
    {"fma.rn.bf16 %h0, %h1, %h2, %h1;", 0x3f80, 0x3f80, 0x4000},
    {"add.f16 %h0, %h1, %h2;", 0x3c00, 0x1000, 0x3c00},  // 1 + 2^-11, a tie
    {"add.f16 %h0, %h1, %h2;", 0x3c01, 0x1000, 0x3c02},
    {"add.f16 %h0, %h1, %h2;", 0x8000, 0x8000, 0x8000},
    {"sub.f16 %h0, %h1, %h2;", 0x3c00, 0x3c00, 0},
    {"mul.f16 %h0, %h1, %h2;", 0x0001, 0x3800, 0},  // 2^-25, a tie
    {"mul.f16 %h0, %h1, %h2;", 0x0003, 0x3800, 0x0002},
    {"mul.ftz.f16 %h0, %h1, %h2;", 0x8400, 0x3800, 0x8000},
    {"mul.sat.f16 %h0, %h1, %h2;", 0x4000, 0xbc00, 0},
    {"sub.sat.f16 %h0, %h1, %h2;", 0x7c00, 0x7c00, 0},           // NaN
    {"fma.rn.f16 %h0, %h1, %h1, %h2;", 0x3c01, 0xbc02, 0x0010},  // (1 + 2^-10)² − (1 + 2^-9) = 2^-20
    {"mov.b16 %h3, 0x3bff; fma.rn.f16 %h0, %h1, %h3, %h2;", 0x6401, 0x1000,
     0x6400},  // 1025 (1 − 2^-11) + 2^-11 = 1024½, a tie
    {"mov.b16 %h3, 0x3bff; fma.rn.f16 %h0, %h1, %h3, %h2;", 0x6401, 0x1001, 0x6401},  // and a little more
    {"min.f16 %h0, %h1, %h2;", 0x0000, 0x8000, 0x8000},
    {"max.ftz.f16 %h0, %h1, %h2;", 0x8001, 0x0001, 0},
    {"max.f16 %h0, %h1, %h2;", 0xbc00, 0xc000, 0xbc00},
    {"add.bf16 %h0, %h1, %h2;", 0x3f80, 0x3b80, 0x3f80},  // 1 + 2^-8, a tie
    {"add.bf16 %h0, %h1, %h2;", 0x7f7f, 0x7f7f, 0x7f80},
    {"mul.bf16 %h0, %h1, %h2;", 0x3f81, 0x3f81, 0x3f82},  // 1 + 2^-6 + 2^-14
    {"max.NaN.bf16 %h0, %h1, %h2;", 0x7fc0, 0x3f80, 0x7fff},
    {"neg.bf16 %h0, %h1;", 0x8001, 0, 0x0001},
    {"setp.gtu.bf16 %p0, %h1, %h2; selp.b16 %h0, 7, 9, %p0;", 0x7fc0, 0x3f80, 7},
    {"set.lt.f16.f16 %h0, %h1, %h2;", 0x3c00, 0x4000, 0x3c00},
    {"set.lt.bf16.bf16 %h0, %h1, %h2;", 0x3f80, 0x4000, 0x3f80},
    {"set.gt.u16.f16 %h0, %h1, %h2;", 0x4000, 0x3c00, 0xffff},
};
INSTANTIATE_TEST_SUITE_P(All, HalfOf, testing::ValuesIn(kHalves));

}  // namespace collective_table_test
}  // namespace warpfork::simt
