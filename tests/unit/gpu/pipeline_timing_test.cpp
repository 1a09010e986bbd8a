// What one warp's dependent chains take on the GTX 480 (gtx480.md, "Execution units", "Operand collectors").
#include <gtest/gtest.h>

#include "gtx480_spec.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace pipeline_timing_test {

/// Cycles of `turns` turns of a loop around the line, `count` times.
Cycle loop(unsigned turns, unsigned count, const std::string& line, const MachineSpec& spec) {
  const std::string body = "mov.u32 %r2, 1; mov.u32 %r6, table; mov.u32 %r3, " + std::to_string(turns) + ";\nLOOP:\n" +
                           repeated(count, line) + "sub.u32 %r3, %r3, 1; setp.ne.u32 %p0, %r3, 0; @%p0 bra LOOP; ret;";
  return Kernel(body, {}, {32, 1, 1}, 32, ".shared .align 4 .b8 table[64];").run(spec).cycles;
}

/// Core cycles from one instruction of a dependent chain to the next: a loop in the instruction cache, without what
/// starts, ends and turns it.
double step_of(const std::string& line, const MachineSpec& spec = one_core()) {
  const auto turn = [&](unsigned count) {
    return static_cast<double>(loop(40, count, line, spec) - loop(20, count, line, spec)) / 20;
  };
  return (turn(96) - turn(32)) / 64;
}

TEST(PipelineTiming, dependent_integer_adds_issue_every_ten_cycles) {
  EXPECT_EQ(step_of("add.u32 %r2, %r2, %r5;"), 10);  // latency 4 + 6
}

TEST(PipelineTiming, dependent_xors_issue_every_seven_cycles) {
  EXPECT_EQ(step_of("xor.b32 %r2, %r2, %r5;"), 7);  // latency 1 + 6
}

TEST(PipelineTiming, dependent_special_functions_issue_every_fourteen_cycles) {
  EXPECT_EQ(step_of("ex2.approx.f32 %r2, %r2;"), 14);  // latency 8 + 6
}

TEST(PipelineTiming, sources_in_one_bank_cost_a_cycle) {
  EXPECT_EQ(step_of("add.u32 %r2, %r2, %r18;"), 11);  // 2 mod 16 = 18 mod 16
}

TEST(PipelineTiming, a_longer_latency_lengthens_the_step_by_as_much) {
  MachineSpec spec = one_core();
  spec.core.execution.IntAdd.latency = 9;
  EXPECT_EQ(step_of("add.u32 %r2, %r2, %r5;", spec), 15);
}

TEST(PipelineTiming, a_shared_load_waits_for_the_shared_latency) {
  MachineSpec slow = one_core();
  slow.core.shared.latency += 10;
  const std::string chase = "ld.shared.u32 %r7, [%r6]; add.u32 %r6, %r6, %r7;";
  EXPECT_EQ(step_of(chase, slow) - step_of(chase), 10);
}

}  // namespace pipeline_timing_test
}  // namespace warpfork::gpu
