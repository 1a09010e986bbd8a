// Products of matrices on a simulated GPU, under every mechanism.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "gtx480_spec.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace matrix_test {

using ::testing::HasSubstr;

/// Rows and columns of ones: every element of the sum is `k`, eight times what one product adds.
std::string products(unsigned count, const std::string& words, const std::string& a, const std::string& b) {
  return "mov.b32 %r5, 0x3c003c00;\n" +
         repeated(count,
                  "mma.sync.aligned." + words + " {%r1, %r2, %r3, %r4}, " + a + ", " + b + ", {%r1, %r2, %r3, %r4};") +
         "cvt.rzi.u32.f32 %r1, %r1;\nst.global.u32 [%mine], %r1;\nret;";
}
std::string halves(unsigned count, unsigned k) {
  return k == 8 ? products(count, "m16n8k8.row.col.f32.f16.f16.f32", "{%r5, %r5}", "{%r5}")
                : products(count, "m16n8k16.row.col.f32.f16.f16.f32", "{%r5, %r5, %r5, %r5}", "{%r5, %r5}");
}

class MatrixProducts : public ::testing::TestWithParam<std::string> {};

TEST_P(MatrixProducts, are_computed_where_the_threads_of_a_warp_are_together) {
  const Kernel kernel(
      "setp.lt.u32 %p0, %thread, 7;\n@%p0 bra MEET;\nadd.u32 %r6, %thread, 1;\nMEET:\nbar.sync 0;\n" + halves(3, 16),
      {2, 1, 1}, {64, 1, 1});
  ASSERT_EQ(kernel.error(one_core(GetParam())), "");
  EXPECT_EQ(kernel.out()[5], 48u);
  EXPECT_EQ(kernel.out()[127], 48u);
}

TEST_P(MatrixProducts, are_refused_where_a_branch_has_parted_them) {
  const Kernel kernel("setp.lt.u32 %p0, %thread, 7;\n@%p0 bra END;\n" + halves(1, 8) + "\nEND:\nret;", {1, 1, 1},
                      {32, 1, 1});
  EXPECT_THAT(kernel.error(one_core(GetParam())), HasSubstr("it takes the 32 threads of a warp"));
}

std::vector<std::string> mechanisms() {
  std::vector<std::string> names;
  for (const DivergenceMechanism& mechanism : divergence_mechanisms()) names.emplace_back(mechanism.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Every, MatrixProducts, ::testing::ValuesIn(mechanisms()),
                         [](const auto& info) { return testing::PrintToString(info.index); });

/// What one product more takes, each of which waits for the sum of the one before.
std::uint64_t cycles_of_one(const MachineSpec& spec, unsigned k) {
  const Kernel more(halves(9, k), {1, 1, 1}, {32, 1, 1}), less(halves(8, k), {1, 1, 1}, {32, 1, 1});
  return more.run(spec).cycles - less.run(spec).cycles;
}

// m16n8k8 has 32 multiply-adds a lane, m16n8k16 64, of which the last has its result after 5 cycles.
TEST(MatrixTiming, is_that_of_the_multiply_adds_on_the_arithmetic_units) {
  EXPECT_EQ(cycles_of_one(one_core(), 16) - cycles_of_one(one_core(), 8), 32u);
  EXPECT_GE(cycles_of_one(one_core(), 8), 31u + 5);
}

TEST(MatrixTiming, is_as_the_machine_says_if_it_has_units_for_them) {
  MachineSpec spec = one_core();
  UnitTimingSpec& unit = spec.core.execution.MatrixF16;
  unit = {"sfu", 10, 2};
  EXPECT_EQ(cycles_of_one(spec, 16) - cycles_of_one(spec, 8), 2u);
  EXPECT_LT(cycles_of_one(spec, 16), 36u);
}

TEST(MatrixTiming, of_larger_or_smaller_warps_there_is_none) {
  const Kernel kernel(halves(1, 8), {1, 1, 1}, {64, 1, 1});
  for (const unsigned warp_size : {16u, 64u}) {
    MachineSpec spec = one_core();
    spec.core.warp_size = warp_size;
    EXPECT_THAT(kernel.error(spec), HasSubstr("run it on a machine whose core.warp_size is 32"));
  }
}

}  // namespace matrix_test
}  // namespace warpfork::gpu
