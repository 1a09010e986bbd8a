// Scalar code on whole machines: what it computes under every mechanism that takes it, what it costs, what it saves.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "divergence/registry.h"
#include "gpu/code_options.h"
#include "gpu/lane_organisation.h"
#include "gtx480_spec.h"
#include "kernel.h"
#include "random_kernel.h"

namespace warpfork::gpu {
namespace scalarization_test {

constexpr Dim3 kGrid{2, 1, 1}, kBlock{80, 1, 1};  // two full warps of a block, and a half filled one

MachineSpec machine(const std::string& rule, const std::string& mechanism, const std::string& lanes) {
  MachineSpec spec = one_core(mechanism);
  spec.core.scalarize = rule;
  spec.core.lanes.organisation = lanes;
  return spec;
}

/// Rule and mechanism.
class ScalarContract : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  /// Kernels compute what they compute without scalars, and the checker finds nothing.
  void holds(bool meets) {
    for (unsigned seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(seed);
      const Kernel plain(RandomKernel(seed).body(), kGrid, kBlock, 256);
      plain.run(one_core(), {.functional_only = true});
      MachineSpec timed = spec(seed % 2 == 0 ? "tsimt-plus" : "simt-scalar"), functional = spec("simt-scalar");
      (seed % 4 < 2 ? timed : functional).core.register_allocation = "colouring";  // the checker then goes by place
      const std::string body = RandomKernel(seed, meets).body();
      EXPECT_EQ(run(body, functional, true), plain.out());
      EXPECT_EQ(run(body, timed, false), plain.out());
      if (HasFailure()) FAIL() << body;
    }
    EXPECT_GT(scalars_, 0u);
    EXPECT_LT(scalars_, issued_);
  }

 private:
  MachineSpec spec(const std::string& lanes) const {
    return machine(std::get<0>(GetParam()), std::get<1>(GetParam()), lanes);
  }
  /// Of the kernel, checked; what it stores.
  std::vector<std::uint32_t> run(const std::string& body, const MachineSpec& spec, bool functional) {
    const Kernel kernel(body, kGrid, kBlock, 256, "", code_options(spec));
    const report::LaunchRecord record = kernel.run(spec, {.functional_only = functional, .check_scalars = true});
    scalars_ += record.scalars.warp_instructions;
    issued_ += record.warp_instructions;
    return kernel.out();
  }
  std::uint64_t scalars_ = 0, issued_ = 0;
};

TEST_P(ScalarContract, random_kernels_compute_what_they_compute_without_and_the_checker_finds_nothing) { holds(false); }

TEST_P(ScalarContract, so_do_kernels_that_some_threads_leave_before_others_meet) { holds(true); }

/// Either side sets two registers to what is one for the warp, which are alive where both meet and so are each
/// thread's. They are spilled, and what they are written to for that lies in the vector file although no other side
/// reads it.
std::string spilled_on_either_side() {
  std::string body = "and.b32 %r0, %thread, 1;\nsetp.eq.u32 %p0, %r0, 0;\nmov.u32 %r1, %nctaid.x;\n";
  for (int i = 2; i < 14; ++i) body += fmt::format("mul.lo.u32 %r{0}, %thread, {0};\n", i);
  body += R"(
    @%p0 bra EVEN;
    add.u32 %r14, %r1, 100;
    add.u32 %r15, %r1, 200;
    bra BOTH;
  EVEN:
    add.u32 %r15, %r1, 300;
    add.u32 %r14, %r1, 400;
  BOTH:
    mad.lo.u32 %r0, %r14, 1000, %r15;
)";
  for (int i = 0; i < 48; ++i) body += fmt::format("add.u32 %r0, %r0, %r{};\n", 2 + i % 12);
  return body + "st.global.u32 [%mine], %r0;\nret;";
}

TEST_P(ScalarContract, what_is_written_to_be_spilled_is_each_threads_own) {
  const auto& [rule, mechanism] = GetParam();
  MachineSpec spec = machine(rule, mechanism, "simt-scalar");
  spec.core.register_allocation = "colouring-as-written";
  spec.core.registers_per_thread_limit = 12;  // of 16: %mine is spilled, and what is used least, %r14 and %r15
  const Kernel kernel(spilled_on_either_side(), kGrid, kBlock, 256, "", code_options(spec));
  kernel.run(spec, {.check_scalars = true});
  for (unsigned thread = 0; thread < kGrid.x * kBlock.x; ++thread)
    ASSERT_EQ(kernel.out()[thread], (thread % 2 == 0 ? 402302u : 102202u) + 4 * 90 * thread) << thread;
}

// The scalar units then have nothing to do, and nobody may notice that they are there. With one issue slot a port there
// is no room in many cycles.
TEST(Scalarization, lanes_with_a_scalar_unit_take_the_cycles_of_lanes_without_where_nothing_is_scalar) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Kernel kernel(RandomKernel(seed).body(), {8, 1, 1}, kBlock, 1024);
    MachineSpec simt = machine("off", "pdom", "simt"), scalar = machine("off", "pdom", "simt-scalar");
    simt.core.execution.sp_issue_slots = scalar.core.execution.sp_issue_slots = 1;
    EXPECT_EQ(kernel.run(scalar).cycles, kernel.run(simt).cycles) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(, ScalarContract,
                         ::testing::Combine(::testing::Values("divergent", "convergent-only"),
                                            ::testing::Values("pdom", "dual-path", "multi-path", "multi-path-or",
                                                              "thread-frontier", "convergence-barrier")),
                         [](const auto& info) {
                           std::string name = std::get<0>(info.param) + "_" + std::get<1>(info.param);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

/// Of the nine instructions of a thread ld.param, the moves of %ctaid and %ntid, and ret are scalar.
constexpr std::string_view kStore = "st.global.u32 [%mine], %r1;\nret;";

report::LaunchRecord stored(const std::string& rule, const std::string& lanes) {
  MachineSpec spec = machine(rule, "pdom", lanes);
  spec.core.register_allocation = "off";  // two values in one place would wait for each other
  return Kernel(kStore, {1, 1, 1}, {32, 1, 1}, 64, "", code_options(spec)).run(spec, {.check_scalars = true});
}

TEST(Scalarization, a_temporal_lane_executes_a_scalar_instruction_for_one_thread) {
  EXPECT_EQ(stored("off", "tsimt").lanes.threads, 9u * 32);
  EXPECT_EQ(stored("divergent", "tsimt").lanes.threads, 4u + 5 * 32);
  EXPECT_EQ(stored("divergent", "stsimt4").lanes.thread_slots, 4u * 4 + 5 * 32);
  EXPECT_LT(stored("divergent", "tsimt").cycles, stored("off", "tsimt").cycles);
}

TEST(Scalarization, without_a_rule_lanes_with_a_scalar_unit_are_lanes_without) {
  EXPECT_EQ(stored("off", "simt-scalar").cycles, stored("off", "simt").cycles);
  EXPECT_LT(stored("divergent", "simt-scalar").cycles, stored("off", "simt").cycles);
}

TEST(Scalarization, shares_are_counted_in_the_text_and_in_the_run) {
  const report::LaunchRecord record = stored("divergent", "simt-scalar");
  EXPECT_EQ(record.scalars.code, 9u);
  EXPECT_EQ(record.scalars.scalar_code, 4u);
  EXPECT_EQ(record.scalars.warp_instructions, 4u);
  EXPECT_EQ(record.warp_instructions, 9u);
  EXPECT_TRUE(stored("off", "simt").scalars.empty());
}

// By hand, registers of 32 bits: before the mad %out, %r0, %r1 and %thread are alive, before the add %out, %offset and
// %r1. With scalars %out, %r0 and %r1 before the mad, and one of the vectors %thread, %offset and %mine at a time.
TEST(Scalarization, registers_that_a_warp_takes_are_told_before_they_are_rounded_up) {
  const report::RegisterCount off = stored("off", "simt").registers;
  EXPECT_EQ(std::tuple(off.vector, off.scalar, off.warp), std::tuple(5u, 0u, 160u));
  const report::RegisterCount scalar = stored("divergent", "tsimt").registers;
  EXPECT_EQ(std::tuple(scalar.vector, scalar.scalar, scalar.warp), std::tuple(2u, 4u, 68u));
  MachineSpec spec = machine("divergent", "pdom", "tsimt");
  spec.core.register_allocation = "colouring";
  const Kernel kernel(kStore, {1, 1, 1}, {32, 1, 1}, 64, "", code_options(spec));
  EXPECT_EQ(kernel.run(spec, {.functional_only = true}).registers.warp, 68u);
}

/// Each side has a predicate that is one for its threads, and both run at the same time.
constexpr std::string_view kPredicates =
    "mov.u32 %r0, %tid.x;\nand.b32 %r2, %r0, 1;\nmov.u32 %r3, %ctaid.x;\nsetp.eq.u32 %p0, %r2, 0;\n@%p0 bra TAKEN;\n"
    "setp.eq.u32 %p1, %r3, 0;\n@%p1 st.global.u32 [%mine], 1;\nbra JOIN;\nTAKEN:\nsetp.ne.u32 %p2, %r3, 0;\n"
    "@!%p2 st.global.u32 [%mine], 2;\nJOIN:\nret;";

TEST(Scalarization, allocated_predicates_keep_a_bit_of_each_thread) {
  MachineSpec spec = machine("divergent", "multi-path", "tsimt-plus");
  spec.core.register_allocation = "colouring";
  const Kernel kernel(kPredicates, {1, 1, 1}, {32, 1, 1}, 64, "", code_options(spec));
  EXPECT_EQ(kernel.program().allocation->predicates, 1u) << "all three in one place";
  kernel.run(spec, {.check_scalars = true});
  EXPECT_EQ(kernel.out()[0], 2u);
  EXPECT_EQ(kernel.out()[1], 1u);
}

/// Each thread stores its row's number.
constexpr std::string_view kRow =
    "mov.u32 %r4, %tid.y;\nmad.lo.u32 %r2, %r4, %r1, %thread;\nmul.wide.u32 %offset, %r2, 4;\n"
    "add.u64 %mine, %out, %offset;\nadd.u32 %r3, %r4, 7;\nst.global.u32 [%mine], %r3;\nret;";

MachineSpec taking_rows(const std::string& rows) {
  MachineSpec spec = machine("divergent", "pdom", "tsimt-plus");
  spec.core.scalarize_rows = rows;
  return spec;
}

unsigned scalar_code(const std::string& rows, Dim3 block) {
  const MachineSpec spec = taking_rows(rows);
  const Kernel kernel(kRow, {1, 1, 1}, block, 64, "", code_options(spec));
  const report::LaunchRecord record = kernel.run(spec, {.check_scalars = true});
  EXPECT_EQ(kernel.out()[33], block.y == 1 ? 7u : 8u);  // of row 1, where rows are of 32 threads
  return record.scalars.scalar_code;
}

TEST(Scalarization, rows_that_fill_warps_are_scalar_where_the_machine_says_so) {
  EXPECT_EQ(scalar_code("filled", {32, 2, 1}), scalar_code("off", {32, 2, 1}) + 2);  // the move and the sum
  EXPECT_EQ(scalar_code("filled", {48, 1, 1}), scalar_code("off", {48, 1, 1}) + 2);
}

TEST(Scalarization, rows_that_do_not_fill_warps_are_refused_if_they_are_read) {
  const MachineSpec spec = taking_rows("filled");
  const Kernel reads(kRow, {1, 1, 1}, {16, 4, 1}, 64, "", code_options(spec));
  EXPECT_THAT(reads.error(spec), ::testing::HasSubstr("rows of 16 threads do not fill warps of 32"));
  const Kernel stores(kStore, {1, 1, 1}, {16, 4, 1}, 64, "", code_options(spec));
  EXPECT_EQ(stores.error(spec), "");
}

TEST(Scalarization, a_kernel_loaded_for_another_rule_does_not_run) {
  const Kernel kernel(kStore, {1, 1, 1}, {32, 1, 1});
  EXPECT_THAT(kernel.error(machine("divergent", "pdom", "tsimt")), ::testing::HasSubstr("another core.scalarize"));
}

}  // namespace scalarization_test
}  // namespace warpfork::gpu
