// Threads that return early from others that go on to meet: under every mechanism.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "every_mechanism.h"
#include "random_kernel.h"

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

// Those that leave have the end in common with the others.
TEST_P(EarlyExits, who_has_something_to_do_before_it_leaves_does_it_first) {
  const Kernel kernel(
      "setp.ge.u32 %p0, %thread, 50;\n@!%p0 bra GO;\nst.global.u32 [%mine], 9;\nbra END;\nGO:\nbar.sync 0;\n"
      "st.global.u32 [%mine], 7;\nEND:\nret;",
      {1, 1, 1}, {64, 1, 1});
  ASSERT_EQ(error(kernel), "");
  EXPECT_EQ(kernel.out()[49], 7u);
  EXPECT_EQ(kernel.out()[50], 9u);
}

// Compilers sink stores of both into one.
TEST_P(EarlyExits, it_may_have_to_do_what_the_others_do_behind_the_barrier) {
  const Kernel kernel(
      "setp.ge.u32 %p0, %thread, 50;\nmov.u32 %r5, 9;\n@%p0 bra END;\nbar.sync 0;\nmov.u32 %r5, 7;\nEND:\n"
      "st.global.u32 [%mine], %r5;\nret;",
      {1, 1, 1}, {64, 1, 1});
  ASSERT_EQ(error(kernel), "");
  EXPECT_EQ(kernel.out()[49], 7u);
  EXPECT_EQ(kernel.out()[50], 9u);
}

// Threads that go around it are then together again with those that have gone by.
TEST_P(EarlyExits, a_barrier_that_nobody_comes_to_parts_nobody) {
  const Kernel kernel(
      "setp.ge.u32 %p0, %thread, 16;\nsetp.lt.u32 %p1, %thread, 1000;\n@%p0 bra JOIN;\n@%p1 bra PASSED;\nbar.sync "
      "0;\nPASSED:\nadd.u32 %r5, %thread, 1;\nJOIN:\nvote.sync.ballot.b32 %r5, %p0, -1;\nst.global.u32 [%mine], "
      "%r5;\nret;",
      {1, 1, 1}, {32, 1, 1});
  ASSERT_EQ(error(kernel), "");
  EXPECT_EQ(kernel.out()[3], 0xffff0000u);
  EXPECT_EQ(kernel.out()[20], 0xffff0000u);
}

// Of odd threads those from 50 on leave; the other odd ones meet the even ones again.
TEST_P(EarlyExits, they_may_leave_from_one_side_of_a_branch) {
  for (const char* leave : {"@%p1 ret;\n", "@!%p1 bra GO;\nst.global.u32 [%mine], 9;\nbra END;\nGO:\n"}) {
    const Kernel kernel(
        "and.b32 %r2, %thread, 1;\nsetp.eq.u32 %p0, %r2, 0;\nsetp.ge.u32 %p1, %thread, 50;\n@%p0 bra JOIN;\n" +
            std::string(leave) + "add.u32 %r2, %r2, 5;\nJOIN:\nbar.sync 0;\nst.global.u32 [%mine], %r2;\nEND:\nret;",
        {1, 1, 1}, {64, 1, 1});
    ASSERT_EQ(error(kernel), "") << leave;
    EXPECT_EQ(kernel.out()[49], 6u);
    EXPECT_EQ(kernel.out()[51], leave[1] == '%' ? 0u : 9u);
    EXPECT_EQ(kernel.out()[52], 0u);
  }
}

TEST_P(EarlyExits, a_trap_that_nobody_comes_to_keeps_nobody_waiting) {
  const Kernel kernel(
      "and.b32 %r2, %thread, 1;\nsetp.eq.u32 %p0, %r2, 0;\nsetp.ge.u32 %p1, %thread, 64;\nmov.u32 %r5, 0;\nLOOP:\n"
      "@%p0 bra JOIN;\n@%p1 bra TRAP;\nadd.u32 %r2, %r2, 5;\nJOIN:\nbar.sync 0;\nadd.u32 %r5, %r5, 1;\n"
      "setp.lt.u32 %p2, %r5, 3;\n@%p2 bra LOOP;\nst.global.u32 [%mine], %r2;\nret;\nTRAP:\ntrap;",
      {1, 1, 1}, {64, 1, 1});
  ASSERT_EQ(error(kernel), "");
  EXPECT_EQ(kernel.out()[49], 16u);
  EXPECT_EQ(kernel.out()[50], 0u);
}

// Even threads go on with the next turn, in which all are there. nvcc leaves such a loop of an unrolled one.
TEST_P(EarlyExits, nor_does_a_loop_without_an_end_where_a_warp_is_named) {
  for (const char* end : {"trap;", "bra NEVER;"}) {
    const Kernel kernel(
        "and.b32 %r2, %thread, 1;\nsetp.eq.u32 %p0, %r2, 0;\nsetp.ge.u32 %p1, %thread, 64;\nmov.u32 %r5, 0;\nLOOP:\n"
        "vote.sync.ballot.b32 %r6, %p0, -1;\nadd.u32 %r5, %r5, 1;\nsetp.gt.u32 %p2, %r5, 3;\n@%p2 bra END;\n"
        "@%p0 bra LOOP;\n@%p1 bra NEVER;\nadd.u32 %r2, %r2, 5;\nbra LOOP;\nEND:\nadd.u32 %r2, %r2, %r6;\n"
        "st.global.u32 [%mine], %r2;\nret;\nNEVER:\nadd.u32 %r2, %r2, 1;\n" +
            std::string(end),
        {1, 1, 1}, {64, 1, 1});
    ASSERT_EQ(error(kernel), "") << end;
    EXPECT_EQ(kernel.out()[49], 0x55555565u);
    EXPECT_EQ(kernel.out()[50], 0x55555555u);
  }
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

TEST_P(EarlyExits, random_kernels_compute_what_they_compute_where_nobody_meets) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Kernel alone(RandomKernel(seed).body(), {2, 1, 1}, {80, 1, 1}, 256);
    alone.run(one_core(), {.functional_only = true});
    const Kernel kernel(RandomKernel(seed, true).body(), {2, 1, 1}, {80, 1, 1}, 256);
    ASSERT_EQ(error(kernel), "") << seed;
    EXPECT_EQ(kernel.out(), alone.out()) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, EarlyExits, every_mechanism());

}  // namespace early_exits_test
}  // namespace warpfork::gpu
