#include "gpu/livelock_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtx480_spec.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace livelock_watch_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Thread 0 holds the lock and waits where the loop's lanes meet: behind it.
constexpr const char* kSpinLock = R"(
  SPIN:
    atom.global.cas.b32 %r2, [%out], 0, 1;
    setp.ne.u32 %p0, %r2, 0;
    @%p0 bra SPIN;
    atom.global.exch.b32 %r2, [%out], 0;
    ret;)";

// The other threads wait for thread 0, on the side of the branch that is taken.
constexpr const char* kFlag = R"(
    setp.ne.u32 %p0, %thread, 0;
    @%p0 bra WAIT;
    st.volatile.global.u32 [%out], 1;
    bra END;
  WAIT:
    ld.volatile.global.u32 %r2, [%out];
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra WAIT;
  END:
    ret;)";

TEST(LivelockWatch, finds_a_lock_whose_holder_waits_for_those_that_want_it) {
  for (const char* mechanism : {"pdom", "dual-path", "multi-path", "multi-path-or"})
    EXPECT_THAT(Kernel(kSpinLock, {}, {32, 1, 1}).error(one_core(mechanism)),
                AllOf(HasSubstr("kernel 'kernel' is livelocked at cycle "),
                      HasSubstr(" lanes 11111111111111111111111111111110 waits for memory at pc 8 (PTX line 20)\n")))
        << mechanism;
}

TEST(LivelockWatch, names_the_mechanism_that_lets_the_holder_run) {
  const Kernel kernel(kSpinLock, {}, {32, 1, 1});
  for (const char* mechanism : {"pdom", "dual-path", "multi-path", "multi-path-or"}) {
    kernel.clear_out();
    EXPECT_THAT(kernel.error(one_core(mechanism)),
                HasSubstr("it may run under --divergence thread-frontier or convergence-barrier\n"));
  }
  kernel.clear_out();
  EXPECT_EQ(kernel.error(one_core("thread-frontier")), "");
}

TEST(LivelockWatch, finds_it_only_where_the_mechanism_does_not_let_the_other_side_run) {
  const Kernel kernel(kFlag, {}, {32, 1, 1});
  EXPECT_THAT(kernel.error(one_core("pdom")), HasSubstr("is livelocked"));
  for (const char* mechanism : {"dual-path", "multi-path", "multi-path-or"}) {
    kernel.clear_out();
    EXPECT_EQ(kernel.error(one_core(mechanism)), "") << mechanism;
  }
}

TEST(LivelockWatch, finds_it_in_a_functional_run) {
  EXPECT_THAT(Kernel(kFlag, {}, {32, 1, 1}).error(one_core(), {.functional_only = true}), HasSubstr("is livelocked"));
  EXPECT_EQ(Kernel(kFlag, {}, {32, 1, 1}).error(one_core("multi-path"), {.functional_only = true}), "");
}

TEST(LivelockWatch, counts_those_that_wait_at_a_barrier_for_a_thread_that_goes_round) {
  const Kernel kernel(R"(
    setp.ge.u32 %p0, %thread, 32;
    @%p0 bra MEET;
  ROUND: bra ROUND;
  MEET: bar.sync 0; ret;)",
                      {}, {64, 1, 1});
  EXPECT_THAT(kernel.error(one_core()), AllOf(HasSubstr("is livelocked"), HasSubstr("warp 1 split 0 lanes"),
                                              HasSubstr("waits at the barrier at pc")));
}

TEST(LivelockWatch, lets_a_thread_wait_for_another_warp_as_long_as_it_takes) {
  const Kernel kernel(R"(
    setp.ge.u32 %p0, %thread, 32;
    @%p0 bra WAIT;
    mov.u32 %r2, 0;
  COUNT:
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p0, %r2, 20000;
    @%p0 bra COUNT;
    st.volatile.global.u32 [%out], 1;
    ret;
  WAIT:
    ld.volatile.global.u32 %r3, [%out];
    setp.eq.u32 %p1, %r3, 0;
    @%p1 bra WAIT;
    ret;)",
                      {}, {64, 1, 1});
  EXPECT_GT(kernel.run(one_core()).cycles, 1u << 18);
  kernel.clear_out();
  EXPECT_EQ(kernel.error(one_core(), {.functional_only = true}), "");
}

TEST(LivelockWatch, claims_nothing_of_a_kernel_that_reads_a_clock) {
  const Kernel kernel(R"(
  WAIT:
    mov.u32 %r2, %clock;
    mov.u32 %r2, 0;
    mov.u32 %r3, %clock;
    setp.lt.u32 %p0, %r3, 200000;
    mov.u32 %r3, 0;
    @%p0 bra WAIT;
    ret;)",
                      {}, {32, 1, 1});
  EXPECT_EQ(kernel.error(one_core()), "");
}

// Lanes vote, and a clock is read, but not where the warp goes round.
TEST(LivelockWatch, looks_at_the_instructions_on_the_way_round_alone) {
  const std::string loop = "LOOP: ld.volatile.global.u32 %r2, [%out]; setp.eq.u32 %p0, %r2, 0; @%p0 bra LOOP; ret;";
  const std::string before = "vote.sync.any.pred %p1, %p0, -1; mov.u32 %r3, %clock; mov.u32 %r3, 0;";
  for (const bool functional_only : {false, true}) {
    const LaunchOptions options{.functional_only = functional_only, .max_cycles = 300000};
    EXPECT_THAT(Kernel(before + loop, {}, {32, 1, 1}).error(one_core(), options), HasSubstr("is livelocked"));
    EXPECT_THAT(Kernel("LOOP1:" + before + "bra LOOP1;", {}, {32, 1, 1}).error(one_core(), options),
                HasSubstr("--max-cycles"));
  }
}

TEST(LivelockWatch, finds_a_whole_warp_that_goes_round_where_all_paths_run_at_last) {
  MachineSpec two_splits = one_core("multi-path");
  two_splits.divergence.max_splits = 2;
  for (const MachineSpec& spec : {two_splits, one_core("thread-frontier")})
    EXPECT_THAT(Kernel("LOOP: bra LOOP;", {}, {32, 1, 1}).error(spec), HasSubstr("is livelocked"));
  EXPECT_EQ(Kernel(kSpinLock, {}, {32, 1, 1}).error(one_core("thread-frontier")), "");
}

// Thread 0 goes round for ever, the others would leave.
TEST(LivelockWatch, finds_who_goes_round_without_reading_where_all_paths_run_at_last) {
  const Kernel kernel("setp.ne.u32 %p0, %thread, 0;\n@%p0 bra OUT;\nLOOP: bra LOOP;\nOUT: ret;", {}, {32, 1, 1});
  EXPECT_THAT(kernel.error(one_core("thread-frontier"), {.max_cycles = 300000}), HasSubstr("is livelocked"));
}

TEST(LivelockWatch, claims_nothing_where_it_is_not_certain) {
  MachineSpec two_splits = one_core("multi-path");
  two_splits.divergence.max_splits = 2;
  for (const MachineSpec& spec : {two_splits, one_core("tbc")})
    EXPECT_THAT(Kernel(kSpinLock, {}, {32, 1, 1}).error(spec, {.max_cycles = 200000}),
                AllOf(HasSubstr("--max-cycles"), Not(HasSubstr("livelocked"))));
}

TEST(LivelockWatch, finds_nothing_while_a_word_changes_and_changes_back) {
  const Kernel kernel(R"(
  ROUND:
    atom.global.exch.b32 %r2, [%out], 1;
    atom.global.exch.b32 %r2, [%out], 0;
    bra ROUND;)",
                      {}, {32, 1, 1});
  EXPECT_THAT(kernel.error(one_core(), {.max_cycles = 400000}), HasSubstr("--max-cycles"));
}

}  // namespace livelock_watch_test
}  // namespace warpfork::gpu
