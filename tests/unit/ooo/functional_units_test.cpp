// The functional units of SIMT-X Table I: which there are, and how long a µop keeps one.
#include "ooo/functional_units.h"

#include <gtest/gtest.h>

namespace warpfork::ooo {
namespace functional_units_test {

using x86::UopKind;
using x86::UopWidth;

const FunctionalUnits kWarps{{}, {}, false};         // of several threads
const FunctionalUnits kSingleThreads{{}, {}, true};  // an SMT core

unsigned busy(const FunctionalUnits& units, UopKind kind, UopWidth width, LaneMask lanes) {
  return units.timing(kind, width, lanes).busy;
}
unsigned latency(const FunctionalUnits& units, UopKind kind, UopWidth width, LaneMask lanes) {
  return units.timing(kind, width, lanes).latency;
}

// Section 3.9: "depending on the warp mask which consists of two threads or less, the SSE instruction may execute in a
// single clock cycle (i.e. a warp with mask 0101 or 1010)"; others take up to two.
TEST(FunctionalUnits, execute_sse_in_one_cycle_where_lanes_are_all_even_or_all_odd) {
  for (const LaneMask lanes : {0b0001, 0b0010, 0b0100, 0b0101, 0b1000, 0b1010})
    EXPECT_EQ(busy(kWarps, UopKind::FloatAdd, UopWidth::Sse, lanes), 1u) << lanes;
  for (const LaneMask lanes : {0b0011, 0b0110, 0b1001, 0b1100, 0b0111, 0b1111})
    EXPECT_EQ(busy(kWarps, UopKind::FloatAdd, UopWidth::Sse, lanes), 2u) << lanes;
  EXPECT_EQ(busy(kWarps, UopKind::FloatAdd, UopWidth::Sse, 0x5555555555555555), 1u);
  EXPECT_EQ(latency(kWarps, UopKind::FloatAdd, UopWidth::Sse, 0b0101), 3u);
  EXPECT_EQ(latency(kWarps, UopKind::FloatAdd, UopWidth::Sse, 0b0011), 4u);  // a cycle later for the second half
}

// Section 3.9: "serialized to issue with a maximum of m successive cycles on the pipelined functional units, where
// inactive threads are skipped".
TEST(FunctionalUnits, execute_avx_one_lane_after_the_other) {
  EXPECT_EQ(busy(kWarps, UopKind::FloatMultiply, UopWidth::Avx, 0b1111), 4u);
  EXPECT_EQ(busy(kWarps, UopKind::FloatMultiply, UopWidth::Avx, 0b0101), 2u);
  EXPECT_EQ(busy(kWarps, UopKind::FloatMultiply, UopWidth::Avx, 0b1000), 1u);
  EXPECT_EQ(latency(kWarps, UopKind::FloatMultiply, UopWidth::Avx, 0b1111), 5u + 3);
  EXPECT_EQ(latency(kWarps, UopKind::FloatMultiply, UopWidth::Avx, 0b1000), 5u);
}

TEST(FunctionalUnits, execute_scalars_of_all_lanes_at_once) {
  for (const UopKind kind : {UopKind::IntegerAlu, UopKind::FloatAdd, UopKind::VectorAlu, UopKind::Load, UopKind::Store})
    EXPECT_EQ(busy(kWarps, kind, UopWidth::Scalar, 0b1111), 1u);
}

TEST(FunctionalUnits, load_and_store_vectors_as_they_execute_them) {
  for (const UopKind kind : {UopKind::Load, UopKind::Store}) {
    EXPECT_EQ(busy(kWarps, kind, UopWidth::Sse, 0b0101), 1u);
    EXPECT_EQ(busy(kWarps, kind, UopWidth::Sse, 0b0011), 2u);
    EXPECT_EQ(busy(kWarps, kind, UopWidth::Avx, 0b0111), 3u);
  }
}

TEST(FunctionalUnits, take_any_vector_of_a_single_thread_at_once) {
  for (const UopWidth width : {UopWidth::Scalar, UopWidth::Sse, UopWidth::Avx}) {
    EXPECT_EQ(busy(kSingleThreads, UopKind::FloatMultiply, width, 1), 1u);
    EXPECT_EQ(latency(kSingleThreads, UopKind::FloatMultiply, width, 1), 5u);
  }
}

TEST(FunctionalUnits, keep_dividers_until_they_have_divided) {
  EXPECT_EQ(busy(kWarps, UopKind::IntegerDivide, UopWidth::Scalar, 0b1111), 26u);
  EXPECT_EQ(latency(kWarps, UopKind::IntegerDivide, UopWidth::Scalar, 0b1111), 26u);
  EXPECT_EQ(busy(kWarps, UopKind::FloatDivide, UopWidth::Sse, 0b0011), 2u * 14);
  EXPECT_EQ(busy(kWarps, UopKind::FloatDivide, UopWidth::Avx, 0b0111), 3u * 14);
  EXPECT_EQ(latency(kWarps, UopKind::FloatDivide, UopWidth::Avx, 0b0111), 3u * 14);
  EXPECT_EQ(busy(kWarps, UopKind::IntegerMultiply, UopWidth::Scalar, 0b1111), 1u);  // pipelined
}

TEST(FunctionalUnits, share_one_unit_for_products_and_quotients) {
  EXPECT_EQ(FunctionalUnits::unit_of(UopKind::IntegerDivide), FunctionalUnits::unit_of(UopKind::IntegerMultiply));
  FunctionalUnits units{{}, {}, false};
  units.occupy(Unit::Multiply, 100, 26);
  EXPECT_FALSE(units.free(Unit::Multiply, 125));
  EXPECT_TRUE(units.free(Unit::Multiply, 126));
  EXPECT_TRUE(units.free(Unit::Integer, 101));
}

// Table I: 1 load/store, 1 branch, 1 multiply and divide, 4 integer, 2 AVX and floating-point units.
TEST(FunctionalUnits, are_as_many_as_the_table_says) {
  FunctionalUnits units{{}, {}, false};
  const auto count = [&](Unit unit) {
    unsigned taken = 0;
    for (; units.free(unit, 5); ++taken) units.occupy(unit, 5, 1);
    return taken;
  };
  EXPECT_EQ(count(Unit::Memory), 1u);
  EXPECT_EQ(count(Unit::Branch), 1u);
  EXPECT_EQ(count(Unit::Multiply), 1u);
  EXPECT_EQ(count(Unit::Integer), 4u);
  EXPECT_EQ(count(Unit::Vector), 2u);
  EXPECT_TRUE(units.free(Unit::Integer, 6));
}

TEST(FunctionalUnits, need_no_unit_for_a_nop) {
  FunctionalUnits units{{}, {}, false};
  EXPECT_EQ(FunctionalUnits::unit_of(UopKind::Nop), Unit::None);
  units.occupy(Unit::None, 0, 100);
  EXPECT_TRUE(units.free(Unit::None, 0));
  EXPECT_EQ(units.next_free(0), kNever);
}

TEST(FunctionalUnits, say_when_the_next_becomes_free) {
  FunctionalUnits units{{}, {}, false};
  units.occupy(Unit::Multiply, 10, 26);
  units.occupy(Unit::Vector, 10, 4);
  EXPECT_EQ(units.next_free(10), 14u);
  EXPECT_EQ(units.next_free(14), 36u);
  EXPECT_EQ(units.next_free(36), kNever);
}

}  // namespace functional_units_test
}  // namespace warpfork::ooo
