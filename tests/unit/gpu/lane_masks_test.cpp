// Whether lanes wait for registers that other lanes of their warp will get (MULTIPATH section 3.3.2).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtx480_spec.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace lane_masks_test {

/// Odd lanes load into a register that even ones read at once, in a chain of adds longer than the load.
Cycle cycles(const std::string& mechanism, const std::string& masks) {
  const Kernel kernel("and.b32 %r3, %thread, 1; setp.eq.u32 %p0, %r3, 1; @%p0 bra LOADS;" +
                          repeated(200, "add.u32 %r2, %r2, 1;") +
                          "bra MEET; LOADS: ld.global.u32 %r2, [%mine]; MEET: st.global.u32 [%mine], %r2; ret;",
                      {}, {32, 1, 1}, 32);
  MachineSpec spec = one_core(mechanism);
  spec.core.scoreboard_masks = masks;
  return kernel.run(spec).cycles;
}

// A line that nobody has copied to the device comes from DRAM: two fixed delays of 120 and 100 cycles (gtx480.md).
TEST(LaneMasks, without_them_the_other_side_of_a_branch_waits_for_a_load) {
  EXPECT_GT(cycles("pdom", "never"), cycles("pdom", "always") + 220);
  EXPECT_GT(cycles("multi-path", "never"), cycles("multi-path", "always") + 220);
}

TEST(LaneMasks, are_multi_paths_and_not_of_the_stack_that_it_is_compared_with) {
  EXPECT_EQ(cycles("pdom", "mechanism"), cycles("pdom", "never"));
  EXPECT_EQ(cycles("multi-path", "mechanism"), cycles("multi-path", "always"));
}

TEST(LaneMasks, an_unknown_choice_is_refused_with_those_there_are) {
  MachineSpec spec = gtx480();
  spec.core.scoreboard_masks = "true";
  const Kernel kernel("ret;", {}, {32, 1, 1});
  EXPECT_EQ(kernel.error(spec), "core.scoreboard_masks: there is no choice 'true'; known: mechanism, always, never");
}

}  // namespace lane_masks_test
}  // namespace warpfork::gpu
