// Member masks of .sync instructions under every mechanism (docs/adr/0017): lanes of other splits are missed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "every_mechanism.h"

namespace warpfork::gpu {
namespace member_masks_test {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Even threads go one way, odd ones the other; each side does `side`, then both do `meeting`.
std::string two_sides(const std::string& side, const std::string& meeting) {
  return "and.b32 %r1, %thread, 1;\nsetp.eq.u32 %p0, %r1, 0;\nselp.b32 %r2, 0x55555555, 0xaaaaaaaa, %p0;\n"
         "mov.u32 %r5, 0;\n@%p0 bra EVEN;\nadd.u32 %r3, %thread, 100;\n" +
         side + "bra MEET;\nEVEN:\nadd.u32 %r3, %thread, 200;\n" + side + "MEET:\n" + meeting +
         "st.global.u32 [%mine], %r5;\nret;";
}

class MemberMasks : public UnderEveryMechanism {};

TEST_P(MemberMasks, that_name_the_other_side_of_a_branch_are_errors) {
  for (const char* side : {"vote.sync.ballot.b32 %r5, %p0, -1;\n", "shfl.sync.bfly.b32 %r5, %r3, 1, 31, -1;\n"}) {
    const Kernel kernel(two_sides(side, ""), {1, 1, 1}, {32, 1, 1});
    EXPECT_THAT(error(kernel), AllOf(HasSubstr("kernel.ptx:"), HasSubstr("kernel 'kernel', thread ("),
                                     HasSubstr("of its warp, "), HasSubstr("__activemask()")))
        << side;
  }
}

TEST_P(MemberMasks, that_name_the_other_side_at_a_barrier_are_errors_where_nobody_waits) {
  const Kernel kernel(two_sides("bar.warp.sync -1;\n", ""), {1, 1, 1}, {32, 1, 1});
  const bool gathers = find_divergence_mechanism(std::get<0>(GetParam())).make({})->gathers();
  EXPECT_EQ(error(kernel).find("its member mask 0xffffffff names thread (") == std::string::npos, gathers);
}

TEST_P(MemberMasks, that_name_their_own_side_are_served) {
  const Kernel kernel(two_sides("bar.warp.sync %r2;\nredux.sync.max.u32 %r5, %r3, %r2;\n", ""), {1, 1, 1}, {32, 1, 1});
  ASSERT_EQ(error(kernel), "");
  EXPECT_EQ(kernel.out()[0], 230u);
  EXPECT_EQ(kernel.out()[1], 131u);
}

TEST_P(MemberMasks, that_name_all_are_served_where_the_sides_meet_again) {
  const Kernel kernel(two_sides("", "bar.warp.sync -1;\nshfl.sync.bfly.b32 %r5, %r3, 1, 31, -1;\n"), {1, 1, 1},
                      {32, 1, 1});
  ASSERT_EQ(error(kernel), "");
  EXPECT_EQ(kernel.out()[0], 101u);
  EXPECT_EQ(kernel.out()[1], 200u);
}

TEST_P(MemberMasks, may_name_threads_that_have_exited) {
  const Kernel kernel(
      "setp.ge.u32 %p0, %thread, 20;\n@%p0 ret;\nvote.sync.ballot.b32 %r5, %p0, -1;\nredux.sync.add.u32 %r5, 1, -1;\n"
      "st.global.u32 [%mine], %r5;\nret;",
      {1, 1, 1}, {32, 1, 1});
  ASSERT_EQ(error(kernel), "");
  EXPECT_EQ(kernel.out()[19], 20u);
  EXPECT_EQ(kernel.out()[20], 0u);
}

// Even lanes of warp 0 and odd ones of warp 1 go the same way: a mechanism that regroups threads puts them into one
// warp, but the lanes of a mask are those of the home warp.
TEST_P(MemberMasks, name_lanes_of_the_home_warp_however_threads_are_regrouped) {
  const Kernel kernel(
      "shr.u32 %r0, %thread, 5;\nadd.u32 %r1, %thread, %r0;\nand.b32 %r1, %r1, 1;\nsetp.eq.u32 %p0, %r1, 0;\n"
      "vote.sync.ballot.b32 %r2, %p0, -1;\nmov.u32 %r5, 0;\n@!%p0 bra MEET;\nredux.sync.add.u32 %r5, %thread, %r2;\n"
      "MEET:\nst.global.u32 [%mine], %r5;\nret;",
      {1, 1, 1}, {64, 1, 1});
  ASSERT_EQ(error(kernel), "");
  EXPECT_EQ(kernel.out()[0], 240u);             // 0 + 2 + … + 30
  EXPECT_EQ(kernel.out()[33], 33u * 16 + 240);  // 33 + 35 + … + 63
  EXPECT_EQ(kernel.out()[32], 0u);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, MemberMasks, every_mechanism());

}  // namespace member_masks_test
}  // namespace warpfork::gpu
