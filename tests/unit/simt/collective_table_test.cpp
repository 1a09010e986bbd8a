// Warp-wide instructions, a line each, by hand from the pseudo-code of the PTX ISA ("shfl.sync", "vote.sync",
// "match.sync", "redux.sync").
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "one_warp.h"

namespace warpfork::simt {
namespace {

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
                                         Reduction{"xor.b32", 0xffffffe0}));

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

struct Half {
  const char* instruction;  // %h0 of %h1 and %h2
  std::uint32_t h1, h2, h0;
};

void PrintTo(const Half& half, std::ostream* out) { *out << half.instruction; }

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
};
INSTANTIATE_TEST_SUITE_P(All, HalfOf, testing::ValuesIn(kHalves));

}  // namespace
}  // namespace warpfork::simt
