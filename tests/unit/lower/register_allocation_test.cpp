// Places of registers: how many, how aligned, which shared; and what is spilled.
#include "lower/register_allocation.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lower/allocation_check.h"
#include "unit/lower/allocated.h"

namespace warpfork::lower {
namespace register_allocation_test {

using testing::ElementsAre;
using testing::HasSubstr;

AllocationOptions limited(unsigned limit) {
  AllocationOptions options;
  options.limit = limit;
  return options;
}

// Three values wait for each other: a triangle.
const std::string kTriangle =
    "ld.global.u32 %r1, [64];\nld.global.u32 %r2, [68];\nld.global.u32 %r3, [72];\nadd.u32 %r1, %r1, %r2;\n"
    "add.u32 %r1, %r1, %r3;\nst.global.u32 [64], %r1;\nret;";

TEST(RegisterAllocation, gives_a_chain_one_register_and_a_triangle_three) {
  Allocated chain("mov.u32 %r1, 1;\nadd.u32 %r2, %r1, 1;\nadd.u32 %r3, %r2, 1;\nst.global.u32 [64], %r3;\nret;");
  EXPECT_EQ(chain.allocation().vector_registers, 1u);
  Allocated triangle(kTriangle);
  EXPECT_EQ(triangle.allocation().vector_registers, 3u);
  EXPECT_NE(triangle.place("%r1"), triangle.place("%r2"));
}

TEST(RegisterAllocation, gives_no_place_to_what_is_declared_alone) {
  Allocated unused("ret;");
  EXPECT_EQ(unused.place("%r1"), RegisterPlace::kNowhere);
  EXPECT_EQ(unused.allocation().vector_registers, 0u);
}

TEST(RegisterAllocation, puts_64_bits_into_an_aligned_pair) {
  Allocated pairs(
      "ld.global.u32 %r1, [64];\nld.global.u64 %rd1, [72];\nst.global.u64 [72], %rd1;\n"
      "st.global.u32 [64], %r1;\nret;");
  EXPECT_EQ(pairs.place("%r1"), 0u);
  EXPECT_EQ(pairs.place("%rd1"), 2u);  // 1 is not even
  EXPECT_EQ(pairs.allocation().vector_registers, 4u);
}

TEST(RegisterAllocation, fills_the_hole_that_alignment_leaves) {
  Allocated hole(
      "ld.global.u32 %r1, [64];\nld.global.u64 %rd1, [72];\nld.global.u32 %r2, [64];\n"
      "st.global.u64 [72], %rd1;\nst.global.u32 [64], %r1;\nst.global.u32 [64], %r2;\nret;");
  EXPECT_EQ(hole.place("%r2"), 1u);
  EXPECT_EQ(hole.allocation().vector_registers, 4u);
}

// 63 values wait while a pair is loaded and stored: place 63 is not even, the next one is the first of a second word.
TEST(RegisterAllocation, goes_on_behind_the_first_64_places) {
  std::string loads = ".reg .b32 %v<63>;\n", stores;
  for (int i = 0; i < 63; ++i) {
    loads += fmt::format("ld.global.u32 %v{}, [64];\n", i);
    stores += fmt::format("st.global.u32 [64], %v{};\n", i);
  }
  const std::string pair = "ld.global.u64 %rd1, [72];\nld.global.u32 %r1, [64];\nst.global.u64 [72], %rd1;\n";
  Allocated many(loads + pair + "st.global.u32 [64], %r1;\n" + stores + "ret;");
  EXPECT_EQ(many.place("%v62"), 62u);
  EXPECT_EQ(many.place("%rd1"), 64u);
  EXPECT_EQ(many.place("%r1"), 63u);
  EXPECT_EQ(many.allocation().vector_registers, 66u);
}

TEST(RegisterAllocation, counts_predicates_and_scalars_apart) {
  Allocated apart(
      "ld.global.u32 %r1, [64];\nld.global.u32 %r2, [64];\nsetp.eq.u32 %p3, %r1, %r2;\n"
      "@%p3 st.global.u32 [64], %r1;\nret;",
      {}, {"%r2"});
  const RegisterAllocation& allocation = apart.allocation();
  EXPECT_EQ(allocation.vector_registers, 1u);
  EXPECT_EQ(allocation.scalar_registers, 1u);
  EXPECT_EQ(allocation.predicates, 1u);
  EXPECT_EQ(allocation.index_of(allocation.places[apart.id("%p3")]), 2u);
}

TEST(RegisterAllocation, gives_the_sides_of_a_move_one_place_if_it_can) {
  // %r2 could have place 0 or 1; %r1 is in 1.
  const std::string body =
      "ld.global.u32 %r0, [64];\nld.global.u32 %r1, [64];\nst.global.u32 [64], %r0;\n"
      "mov.u32 %r2, %r1;\nst.global.u32 [64], %r2;\nret;";
  AllocationOptions plain;
  plain.coalesce = false;
  EXPECT_EQ(Allocated(body).place("%r2"), 1u);
  EXPECT_EQ(Allocated(body, plain).place("%r2"), 0u);
}

TEST(RegisterAllocation, gives_the_sides_of_a_move_two_places_where_one_is_written_again) {
  Allocated changed(
      "ld.global.u32 %r1, [64];\nmov.u32 %r2, %r1;\nadd.u32 %r1, %r1, 1;\nst.global.u32 [64], %r1;\n"
      "st.global.u32 [64], %r2;\nret;");
  EXPECT_NE(changed.place("%r1"), changed.place("%r2"));
}

TEST(RegisterAllocation, takes_no_number_over_from_another_file) {
  Allocated broadcast(
      "ld.global.u32 %r0, [64];\nld.global.u32 %r1, [64];\nmov.u32 %r2, %r1;\nst.global.u32 [64], %r2;\n"
      "st.global.u32 [64], %r0;\nst.global.u32 [64], %r1;\nret;",
      {}, {"%r0", "%r1"});
  EXPECT_EQ(broadcast.place("%r1"), 1u);
  EXPECT_EQ(broadcast.place("%r2"), 0u);
}

TEST(RegisterAllocation, keeps_every_value_in_either_order) {
  for (const ColouringOrder order : {ColouringOrder::LiveRange, ColouringOrder::SmallestLast}) {
    AllocationOptions options;
    options.order = order;
    Allocated triangle(kTriangle, options);
    EXPECT_EQ(triangle.allocation().vector_registers, 3u);
    EXPECT_EQ(allocation_fault(triangle.function(), triangle.allocation()), "");
  }
}

// With two registers the third value has one to come through: one of the others is in memory by then, and it goes
// there.
TEST(RegisterAllocation, spills_nothing_at_the_limit_and_makes_room_below_it) {
  EXPECT_THAT(Allocated(kTriangle, limited(3)).allocation().spilled, testing::IsEmpty());
  Allocated spilled(kTriangle, limited(2));
  EXPECT_EQ(spilled.allocation().vector_registers, 2u);
  EXPECT_EQ(spilled.allocation().spilled.size(), 2u);
  EXPECT_EQ(spilled.allocation().spill_bytes, 8u);
  EXPECT_EQ(spilled.function().variables.back().bytes, 8u);
  EXPECT_EQ(allocation_fault(spilled.function(), spilled.allocation()), "");
}

TEST(RegisterAllocation, spills_what_is_used_least_and_not_in_a_loop) {
  const std::string loop =
      "ld.global.u32 %r1, [64];\nld.global.u32 %r2, [68];\nld.global.u32 %r3, [72];\nL:\nadd.u32 %r2, %r2, %r3;\n"
      "setp.lt.u32 %p0, %r2, 100;\n@%p0 bra L;\nst.global.u32 [64], %r1;\nst.global.u32 [64], %r2;\nret;";
  Allocated spilled(loop, limited(2));
  ASSERT_EQ(spilled.allocation().spilled.size(), 1u);
  EXPECT_EQ(spilled.allocation().spilled[0].name, "%r1");
  EXPECT_THAT(lines(spilled.function()),
              ElementsAre("ld.global.u32 %r1, [64];", "st.local.b32 [%spilled], %r1;", "ld.global.u32 %r2, [68];",
                          "ld.global.u32 %r3, [72];", "add.u32 %r2, %r2, %r3;", "setp.lt.u32 %p0, %r2, 100;",
                          "@%p0 bra L; -> 4", "ld.local.b32 %r1, [%spilled];", "st.global.u32 [64], %r1;",
                          "st.global.u32 [64], %r2;", "ret;"));
}

TEST(RegisterAllocation, loads_a_spilled_value_before_a_guarded_write_so_that_other_threads_keep_it) {
  const std::string body =
      "ld.global.u32 %r1, [64];\nsetp.eq.u32 %p0, %r1, 0;\n@%p0 mov.u32 %r1, 5;\nld.global.u32 %r2, [68];\n"
      "ld.global.u32 %r3, [72];\nadd.u32 %r2, %r2, %r3;\nadd.u32 %r3, %r2, %r3;\nadd.u32 %r2, %r2, %r3;\n"
      "add.u32 %r2, %r2, %r1;\nst.global.u32 [64], %r2;\nret;";
  Allocated spilled(body, limited(2));
  const std::vector<std::string> text = lines(spilled.function());
  const auto write = std::ranges::find(text, "@%p0 mov.u32 %r1, 5;");
  ASSERT_NE(write, text.end());
  EXPECT_EQ(*(write - 1), "ld.local.b32 %r1, [%spilled];");
  EXPECT_EQ(*(write + 1), "st.local.b32 [%spilled], %r1;");
}

TEST(RegisterAllocation, refuses_a_limit_that_one_instruction_exceeds) {
  const std::string store = "ld.global.v2.u32 {%r1, %r2}, [64];\nst.global.v2.u32 [64], {%r1, %r2};\nret;";
  EXPECT_NO_THROW(Allocated(store, limited(2)));
  try {
    Allocated refused(store, limited(1));
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("kernel 'k' needs 2 registers even with all values in local memory; 1 are"));
  }
}

/// What the check says of the code once %r2 lies where %r1 does; nothing can be said against it before.
std::string fault_of_sharing(const std::string& body) {
  Allocated code(body);
  EXPECT_EQ(allocation_fault(code.function(), code.allocation()), "");
  code.allocation().places[code.id("%r2")] = code.allocation().places[code.id("%r1")];
  return allocation_fault(code.function(), code.allocation());
}

TEST(AllocationCheck, sees_two_values_in_one_place) {
  EXPECT_THAT(fault_of_sharing(kTriangle), HasSubstr("reads %r1 in R0"));
}

TEST(AllocationCheck, sees_a_half_of_a_pair_overwritten) {
  Allocated pair(
      "ld.global.u64 %rd1, [72];\nld.global.u32 %r1, [64];\nst.global.u64 [72], %rd1;\n"
      "st.global.u32 [64], %r1;\nret;");
  ASSERT_EQ(pair.place("%rd1"), 0u);
  pair.allocation().places[pair.id("%r1")].number = 1;
  EXPECT_THAT(allocation_fault(pair.function(), pair.allocation()), HasSubstr("reads %rd1 in R0"));
}

TEST(AllocationCheck, sees_a_value_overwritten_that_comes_round_a_loop) {
  const std::string loop =
      "ld.global.u32 %r1, [64];\nL:\nst.global.u32 [64], %r1;\nld.global.u32 %r2, [68];\nst.global.u32 [68], %r2;\n"
      "setp.lt.u32 %p0, %r1, 5;\n@%p0 bra L;\nret;";
  EXPECT_THAT(fault_of_sharing(loop), HasSubstr("reads %r1 in R0"));
}

// Threads whose guard is false still need what the block before has overwritten.
TEST(AllocationCheck, sees_that_a_guarded_write_does_not_bring_a_value_back) {
  const std::string guarded =
      "ld.global.u32 %r1, [64];\nsetp.lt.u32 %p0, %r1, 5;\nbra K;\nK:\nld.global.u32 %r2, [68];\n"
      "st.global.u32 [68], %r2;\nbra L;\nL:\n@%p0 mov.u32 %r1, 5;\nst.global.u32 [64], %r1;\nret;";
  EXPECT_THAT(fault_of_sharing(guarded), HasSubstr("reads %r1 in R0"));
}

// As in interference_test.cpp: each thread needs one of the two, the warp both.
TEST(AllocationCheck, sees_a_scalar_that_the_other_side_overwrites_but_lets_threads_share) {
  const std::string parted =
      "ld.global.u32 %r1, [64];\nsetp.eq.u32 %p0, %r1, 0;\n@%p0 bra TAKEN;\nst.global.u32 [128], %r1;\nbra JOIN;\n"
      "TAKEN:\nld.global.u32 %r2, [64];\nst.global.u32 [192], %r2;\nJOIN:\nret;";
  Allocated threads(parted);
  EXPECT_EQ(threads.place("%r1"), threads.place("%r2"));
  EXPECT_EQ(allocation_fault(threads.function(), threads.allocation()), "");
  Allocated warp(parted, {}, {"%r1", "%r2"});
  EXPECT_EQ(allocation_fault(warp.function(), warp.allocation()), "");
  warp.allocation().places[warp.id("%r2")] = warp.allocation().places[warp.id("%r1")];
  EXPECT_THAT(allocation_fault(warp.function(), warp.allocation()), HasSubstr("reads %r1 in S0"));
}

// As in interference_test.cpp: each is written and read on its own side.
TEST(AllocationCheck, sees_a_scalar_that_the_other_side_overwrites_meanwhile) {
  Allocated warp(
      "setp.eq.u32 %p0, %r0, 0;\n@%p0 bra TAKEN;\nld.global.u32 %r1, [64];\nst.global.u32 [128], %r1;\nbra JOIN;\n"
      "TAKEN:\nld.global.u32 %r2, [64];\nst.global.u32 [192], %r2;\nJOIN:\nret;",
      {}, {"%r1", "%r2"});
  EXPECT_EQ(warp.place("%r1"), warp.place("%r2"));
  EXPECT_EQ(allocation_fault(warp.function(), warp.allocation(), {}), "");
  EXPECT_THAT(allocation_fault(warp.function(), warp.allocation(), {.at_once = true}), HasSubstr("reads %r1 in S0"));
}

}  // namespace register_allocation_test
}  // namespace warpfork::lower
