#include "analysis/spin_wait.h"

#include <gtest/gtest.h>

#include <string>

#include "ptx/parser.h"

namespace warpfork::analysis {
namespace spin_wait_test {

bool may_wait(const std::string& body) {
  const ptx::Module module = ptx::parse(R"(.version 6.0
.target sm_70
.address_size 64
.visible .entry kernel(.param .u64 out)
{
  .reg .pred %p<3>;
  .reg .b32 %r<6>;
  .reg .b64 %d1;
  ld.param.u64 %d1, [out];
  mov.u32 %r1, 0;
)" + body + "\n  ret;\n}\n",
                                        "kernel.ptx");
  return may_wait_for_others(module.functions[0], ControlFlowGraph(module.functions[0]));
}

TEST(SpinWait, a_loop_until_another_block_has_written) {
  EXPECT_TRUE(may_wait("L: ld.volatile.global.u32 %r2, [%d1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra L;"));
  EXPECT_TRUE(may_wait("L: ld.acquire.gpu.u32 %r2, [%d1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra L;"));
  EXPECT_FALSE(may_wait("L: ld.global.u32 %r2, [%d1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra L;")) << "no strong load";
  EXPECT_FALSE(may_wait("ld.volatile.global.u32 %r2, [%d1]; setp.eq.u32 %p1, %r2, 0; @%p1 exit;")) << "no loop";
}

TEST(SpinWait, a_lock_whose_loop_is_left_in_its_midst) {
  EXPECT_TRUE(
      may_wait("L: atom.global.cas.b32 %r2, [%d1], 0, 1; add.u32 %r3, %r2, 0; setp.eq.u32 %p1, %r3, 0;"
               "@%p1 bra END; bra L; END:"));
}

TEST(SpinWait, another_blocks_shared_memory_is_out_of_reach) {
  EXPECT_FALSE(may_wait("L: ld.volatile.shared.u32 %r2, [0]; setp.eq.u32 %p1, %r2, 0; @%p1 bra L;"));
}

TEST(SpinWait, what_an_atomic_operation_returns_decides_nothing_of_a_loop_that_counts) {
  const std::string body = "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra L;";
  EXPECT_FALSE(may_wait("L: atom.global.add.u32 %r2, [%d1], 1; st.global.u32 [%d1 + 4], %r2;" + body));
  EXPECT_TRUE(may_wait("L: atom.global.add.u32 %r1, [%d1], 1;" + body));
}

TEST(SpinWait, a_branch_behind_the_loop_may_go_by_it) {
  EXPECT_FALSE(
      may_wait("L: atom.global.add.u32 %r2, [%d1], 1; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; "
               "@%p1 bra L; setp.eq.u32 %p2, %r2, 0; @%p2 exit;"));
}

}  // namespace spin_wait_test
}  // namespace warpfork::analysis
