// Expected values by hand from PTX ISA, "Comparison and Selection Instructions".
#include <gtest/gtest.h>

#include "one_warp.h"

namespace warpfork::simt {
namespace compare_test {

constexpr std::uint32_t kNan = 0x7fc00000, kOne = 0x3f800000;

/// Whether `setp.COMPARISON %p0, %r1, %r2` holds.
bool holds(const std::string& comparison, std::uint32_t a, std::uint32_t b) {
  OneWarp warp("setp." + comparison + " %p0, %r1, %r2;");
  warp.set("%r1", a);
  warp.set("%r2", b);
  warp.run();
  return warp.predicate("%p0").full();
}

TEST(Compare, signedness_follows_the_type_or_the_operator) {
  EXPECT_TRUE(holds("lt.s32", 0xffffffff, 0));
  EXPECT_FALSE(holds("lt.u32", 0xffffffff, 0));
  EXPECT_TRUE(holds("hi.u32", 0xffffffff, 0));
  EXPECT_TRUE(holds("hs.u32", 5, 5));
}

TEST(Compare, ordered_comparisons_are_false_with_nan_and_unordered_ones_true) {
  for (const char* ordered : {"eq.f32", "ne.f32", "lt.f32", "ge.f32", "num.f32"})
    EXPECT_FALSE(holds(ordered, kNan, kOne));
  for (const char* open : {"equ.f32", "neu.f32", "ltu.f32", "geu.f32", "nan.f32"}) EXPECT_TRUE(holds(open, kNan, kOne));
  EXPECT_TRUE(holds("eq.f32", 0x80000000, 0));
  EXPECT_FALSE(holds("gt.f32", 1, 0) && holds("gt.ftz.f32", 1, 0));
}

TEST(Compare, halves_compare_by_value) {
  OneWarp warp(
      "mov.b16 %h0, 0x8000;\nmov.b16 %h1, 0x0001;\nmov.b16 %h2, 0x7e00;\nsetp.lt.f16 %p0, %h0, %h1;\n"
      "setp.gt.f16 %p1, %h2, %h1;\nsetp.gtu.f16 %p2, %h2, %h1;");
  warp.run();
  EXPECT_TRUE(warp.predicate("%p0").full());
  EXPECT_TRUE(warp.predicate("%p1").none());
  EXPECT_TRUE(warp.predicate("%p2").full());
}

TEST(Compare, pairs_give_a_predicate_for_each_half) {
  OneWarp warp("setp.lt.f16x2 %p0|%p1, %r1, %r2;\nsetp.ltu.and.f16x2 %p2|%p3, %r1, %r2, %p1;");
  warp.set("%r1", 0x40007e00);  // 2, NaN
  warp.set("%r2", 0x42003c00);  // 3, 1
  warp.run();
  EXPECT_TRUE(warp.predicate("%p0").none());
  for (const char* holding : {"%p1", "%p2", "%p3"}) EXPECT_TRUE(warp.predicate(holding).full()) << holding;
}

TEST(Compare, combines_with_a_predicate_and_gives_the_opposite_too) {
  OneWarp warp("setp.eq.and.s32 %p0|%p1, %r1, 5, !%p2;");
  Lanes32 values{};
  values[0] = values[2] = 5;
  warp.set("%r1", values);
  warp.set_predicate("%p2", RowLanes(0b1100));
  warp.run(RowLanes(0b1111));
  EXPECT_EQ(warp.predicate("%p0"), RowLanes(0b0001));  // equal and not p2
  EXPECT_EQ(warp.predicate("%p1"), RowLanes(0b0010));  // not equal and not p2
}

TEST(Compare, set_writes_ones_or_one) {
  EXPECT_EQ(r0_of("set.lt.u32.s32 %r0, %r1, %r2;", 0xffffffff, 0), 0xffffffffu);
  EXPECT_EQ(r0_of("set.lt.f32.s32 %r0, %r1, %r2;", 0xffffffff, 0), kOne);
  EXPECT_EQ(r0_of("set.lt.f32.f32 %r0, %r1, %r2;", kNan, 0), 0u);
}

TEST(Compare, selection_by_predicate_and_by_sign) {
  OneWarp warp("selp.b32 %r0, 1, 2, %p0;\nslct.u32.f32 %r1, 1, 2, %r2;");
  warp.set_predicate("%p0", RowLanes(0b01));
  warp.set("%r2", 0x80000000);  // -0 counts as not negative
  warp.run();
  EXPECT_EQ(warp.lane("%r0", 0), 1u);
  EXPECT_EQ(warp.lane("%r0", 1), 2u);
  EXPECT_EQ(warp.lane("%r1", 0), 1u);
}

TEST(Compare, sixty_four_bit_comparisons_see_all_bits) {
  OneWarp warp("setp.gt.s64 %p0, %d1, %d2;\nselp.b64 %d0, %d1, %d2, %p0;");
  warp.set64("%d1", 0x100000000);
  warp.set64("%d2", 0xffffffff);
  warp.run(RowLanes(0x80000000));
  EXPECT_EQ(warp.predicate("%p0"), RowLanes(0x80000000));
  EXPECT_EQ(warp.lane64("%d0", 31), 0x100000000u);
  EXPECT_EQ(warp.lane64("%d0", 0), 0u);
}

}  // namespace compare_test
}  // namespace warpfork::simt
