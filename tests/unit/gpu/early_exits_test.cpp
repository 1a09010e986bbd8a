// Threads that return early, by a branch to the end of the kernel, from others that go on to meet: under every
// mechanism.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "every_mechanism.h"

namespace warpfork::gpu {
namespace early_exits_test {

class EarlyExits : public UnderEveryMechanism {};

TEST_P(EarlyExits, nobody_waits_at_a_barrier_for_them) {
  const Kernel kernel(
      "setp.ge.u32 %p0, %thread, 50;\n@%p0 bra END;\nbar.sync 0;\nst.global.u32 [%mine], 7;\nEND:\nret;", {1, 1, 1},
      {64, 1, 1});
  ASSERT_EQ(error(kernel), "");
  EXPECT_EQ(kernel.out()[49], 7u);
  EXPECT_EQ(kernel.out()[50], 0u);
}

TEST_P(EarlyExits, nobody_misses_them_where_a_warp_is_named) {
  const Kernel kernel(
      "setp.ge.u32 %p0, %thread, 20;\n@%p0 bra END;\nvote.sync.ballot.b32 %r5, %p0, -1;\nredux.sync.add.u32 %r5, 1, "
      "-1;\nst.global.u32 [%mine], %r5;\nEND:\nret;",
      {1, 1, 1}, {32, 1, 1});
  ASSERT_EQ(error(kernel), "");
  EXPECT_EQ(kernel.out()[19], 20u);
  EXPECT_EQ(kernel.out()[20], 0u);
}

// Thread t makes t mod 4 rounds, each with a barrier for those that are left.
TEST_P(EarlyExits, a_loop_with_a_barrier_may_be_left_one_by_one) {
  const Kernel kernel(
      "and.b32 %r0, %thread, 3;\nmov.u32 %r5, 0;\nLOOP:\nsetp.ge.u32 %p0, %r5, %r0;\n@%p0 bra END;\nadd.u32 %r5, %r5, "
      "1;\nst.global.u32 [%mine], %r5;\nbar.sync 0;\nbra LOOP;\nEND:\nret;",
      {1, 1, 1}, {64, 1, 1});
  ASSERT_EQ(error(kernel), "");
  for (unsigned thread = 0; thread < 64; ++thread) EXPECT_EQ(kernel.out()[thread], thread % 4);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, EarlyExits, every_mechanism());

}  // namespace early_exits_test
}  // namespace warpfork::gpu
