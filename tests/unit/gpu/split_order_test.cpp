// Which split of a warp issues, and which cause a scheduler names when none does. By hand from MULTIPATH section 5 and
// docs/result-schema.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gtx480_spec.h"
#include "issue_times.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace split_order_test {

constexpr Pc kFirst = 7;  // of the body

/// So many instructions that depend on nothing.
std::string independent(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += fmt::format("mov.u32 %r{}, 1;", 4 + i);
  return text;
}

// Both sides have 16 instructions, on one of them the last is the branch. Nothing but the order keeps a split waiting.
TEST(SplitOrder, splits_of_a_warp_take_turns) {
  const Kernel kernel("and.b32 %r2, %thread, 1; setp.eq.u32 %p0, %r2, 0; @%p0 bra SECOND;" + independent(15) +
                          "bra MEET; SECOND:" + independent(16) + "MEET: st.global.u32 [%mine], %r2; ret;",
                      {}, {32, 1, 1});
  MachineSpec spec = one_core("multi-path");
  spec.core.scoreboard_entries = 0;
  Device device(spec);
  kernel.run(device);  // brings the code into the instruction cache
  IssueTimes times;
  kernel.run(device, {.listener = &times});
  unsigned first = 0, second = 0;
  for (const IssueTimes::Issue& issue : times.steps()) {
    first += issue.pc >= kFirst + 3 && issue.pc < kFirst + 19;
    second += issue.pc >= kFirst + 19 && issue.pc < kFirst + 35;
    EXPECT_LE(std::max(first, second) - std::min(first, second), 2u) << issue.cycle;  // a buffer holds two
  }
  EXPECT_EQ(first + second, 32u);
}

// Warps 0 and 2 share a scheduler. Warp 2 goes to code that nobody has fetched yet; what warp 0 does meanwhile, wait
// for a load or not, is no answer to why nothing issues, because warp 2 is nearer to it.
TEST(StallCause, a_missing_instruction_comes_before_a_load_under_way) {
  const auto waiting_for_fetch = [](const std::string& before) {
    const Kernel kernel("setp.ge.u32 %p0, %thread, 64; @%p0 bra FAR;" + before + "add.u32 %r2, %r2, 1;" +
                            "st.global.u32 [%mine], %r2; ret;" + repeated(64, "mov.u32 %r3, 1;") +
                            "FAR: st.global.u32 [%mine], %r2; ret;",
                        {}, {96, 1, 1});
    return kernel.run(one_core()).stalls[static_cast<unsigned>(report::StallCause::Fetch)];
  };
  EXPECT_GE(waiting_for_fetch("ld.global.u32 %r2, [%mine];") + 20, waiting_for_fetch("mov.u32 %r2, 1;"));
}

}  // namespace split_order_test
}  // namespace warpfork::gpu
