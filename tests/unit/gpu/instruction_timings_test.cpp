#include "gpu/instruction_timings.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::gpu {
namespace instruction_timings_test {

/// STSIMT Table III: 8 lanes take a warp of 32 in 4 cycles, 6 stages behind them; branches take a cycle.
InstructionTimings of_warps(unsigned warp_size) {
  ExecutionSpec spec;
  spec.Simple = {"sp", 10, 4};
  spec.Control = {"sp", 1, 1};
  spec.Special = {"sfu", 22, 16};
  return InstructionTimings(spec, warp_size);
}

TEST(InstructionTimings, of_the_warp_that_they_are_for_are_as_the_machine_says) {
  const InstructionTiming simple = of_warps(32).of(simt::TimingClass::Simple);
  EXPECT_EQ(simple.interval, 4u);
  EXPECT_EQ(simple.latency, 10u);
}

TEST(InstructionTimings, half_a_warp_keeps_its_lanes_for_half_as_long) {
  const InstructionTimings timings = of_warps(16);
  EXPECT_EQ(timings.of(simt::TimingClass::Simple).interval, 2u);
  EXPECT_EQ(timings.of(simt::TimingClass::Simple).latency, 8u);  // the stages behind the lanes remain
  EXPECT_EQ(timings.of(simt::TimingClass::Special).interval, 8u);
  EXPECT_EQ(timings.of(simt::TimingClass::Special).latency, 14u);
}

TEST(InstructionTimings, are_a_cycle_at_least) {
  EXPECT_EQ(of_warps(8).of(simt::TimingClass::Simple).interval, 1u);
  EXPECT_EQ(of_warps(4).of(simt::TimingClass::Simple).interval, 1u);
  EXPECT_EQ(of_warps(8).of(simt::TimingClass::Control).latency, 1u);
}

// m16n8k8 has 1,024 multiply-adds, 32 a lane; m8n8k4 has 256, 8 a lane.
TEST(InstructionTimings, of_products_of_matrices_are_those_of_their_multiply_adds_unless_the_machine_says) {
  ExecutionSpec spec;
  spec.Fp32Mad = {"sp", 5, 1};
  spec.Fp64Mad = {"sfu", 8, 8};
  UnitTimingSpec& of_integers = spec.MatrixS8;
  of_integers = {"sfu", 12, 3};
  const InstructionTimings timings(spec, 32);
  EXPECT_EQ(timings.of(simt::TimingClass::MatrixF16).interval, 32u);
  EXPECT_EQ(timings.of(simt::TimingClass::MatrixF16).latency, 36u);
  EXPECT_EQ(timings.of(simt::TimingClass::MatrixF64).interval, 64u);
  EXPECT_EQ(timings.of(simt::TimingClass::MatrixF64).port, Port::Sfu);
  EXPECT_EQ(timings.of(simt::TimingClass::MatrixS8).latency, 12u);
}

// The largest product of .s8 is four of the smallest.
TEST(InstructionTimings, let_the_largest_product_of_matrices_end_in_time) {
  ExecutionSpec spec;
  spec.IntMad = {"sp", 100, 100};
  const InstructionTiming timing = InstructionTimings(spec, 32).of(simt::TimingClass::MatrixS8);
  EXPECT_EQ(timing.interval, 1021u / 4);
  EXPECT_EQ(timing.latency + 3 * timing.interval, 1021u);
}

std::string fault(UnitTimingSpec of_f16) {
  ExecutionSpec spec;
  static_cast<UnitTimingSpec&>(spec.MatrixF16) = of_f16;
  try {
    InstructionTimings(spec, 32);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// The largest product of .f16 is four of the smallest: 3 · 255 + 256 = 1021, and 4 · 255 = 1020. Longer ones were cut
// to 255 without a word.
TEST(InstructionTimings, of_products_of_matrices_that_the_machine_gives_are_those_or_an_error) {
  EXPECT_EQ(fault({"sp", 256, 255}), "");
  EXPECT_EQ(fault({"sp", 257, 255}),
            "core.execution.matrix_f16: latency is 257 and interval 255, so that the largest product of matrices, 4 of "
            "the smallest, would take 1022 cycles; at most 1021 are allowed");
  EXPECT_EQ(fault({"sp", 1, 1020}),
            "core.execution.matrix_f16: latency is 1 and interval 1020, so that the largest product of matrices, 4 of "
            "the smallest, would take 4080 cycles; at most 1021 are allowed");
}

// 32 times as many threads keep the lanes 32 times as long.
TEST(InstructionTimings, that_are_too_long_for_the_warp_are_an_error) {
  ExecutionSpec spec;
  spec.warp_threads = 1;
  spec.Simple = {"sp", 40, 31};
  EXPECT_EQ(InstructionTimings(spec, 32).of(simt::TimingClass::Simple).interval, 992u);
  spec.Simple = {"sp", 40, 33};
  EXPECT_THROW(InstructionTimings(spec, 32), Error);
}

TEST(InstructionTimings, for_a_warp_of_no_threads_are_an_error) {
  ExecutionSpec spec;
  spec.warp_threads = 0;
  EXPECT_THROW(InstructionTimings(spec, 32), Error);
}

}  // namespace instruction_timings_test
}  // namespace warpfork::gpu
