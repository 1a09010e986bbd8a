// Blocks and warps that wait for one another, without timing.
#include "gpu/functional_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "gtx480_spec.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace functional_run_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const LaunchOptions kWithoutTiming{.functional_only = true};

// Each block counts itself, and goes on when all have done so.
constexpr const char* kGridBarrier = R"(
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %nctaid.x;
    setp.ne.u32 %p0, %r1, 0;
    @%p0 bra MEET;
    atom.global.add.u32 %r3, [%out], 1;
  WAIT:
    ld.volatile.global.u32 %r3, [%out];
    setp.lt.u32 %p1, %r3, %r2;
    @%p1 bra WAIT;
  MEET:
    bar.sync 0;
    ret;)";

// Block 0 counts while it waits for the flag of block 1; the warp's lanes have voted on something before.
constexpr const char* kWaitForTheNextBlock = R"(
    setp.eq.u32 %p0, %r0, 0;
    vote.sync.ballot.b32 %r4, %p0, -1;
    mov.u32 %r2, 0;
    @!%p0 bra SET;
  WAIT:
    add.u32 %r2, %r2, 1;
    ld.volatile.global.u32 %r3, [%out];
    setp.eq.u32 %p1, %r3, 0;
    @%p1 bra WAIT;
    st.global.u32 [%out + 4], %r2;
    ret;
  SET:
    st.volatile.global.u32 [%out], 7;
    ret;)";

// Of each block warp 0 gives an even number to warp 1, which gives back the next one, up to 100.
constexpr const char* kPingPong = R"(
    mul.wide.u32 %d0, %r0, 4;
    add.u64 %out, %out, %d0;
    mov.u32 %r1, %tid.x;
    shr.u32 %r1, %r1, 5;
    mov.u32 %r2, %r1;
  ROUND:
    ld.volatile.global.u32 %r3, [%out];
    setp.ne.u32 %p0, %r3, %r2;
    @%p0 bra ROUND;
    add.u32 %r3, %r3, 1;
    st.volatile.global.u32 [%out], %r3;
    add.u32 %r2, %r2, 2;
    setp.lt.u32 %p0, %r2, 100;
    @%p0 bra ROUND;
    ret;)";

// Nobody writes the word that all read.
constexpr const char* kWaitForNobody = R"(
  WAIT:
    ld.volatile.global.u32 %r2, [%out];
    setp.eq.u32 %p0, %r2, 0;
    @%p0 bra WAIT;
    ret;)";

TEST(FunctionalRun, blocks_that_wait_for_a_later_one_end_under_every_mechanism) {
  const Kernel kernel(kWaitForTheNextBlock, {3, 1, 1}, {32, 1, 1});
  for (const std::string& mechanism : divergence_mechanism_names()) {
    kernel.clear_out();
    EXPECT_EQ(kernel.error(one_core(mechanism), kWithoutTiming), "") << mechanism;
    EXPECT_EQ(kernel.out()[0], 7u) << mechanism;
  }
}

// A core holds 8 blocks.
TEST(FunctionalRun, as_many_blocks_meet_as_the_machine_holds_at_a_time) {
  MachineSpec two_cores = one_core();
  two_cores.cores = 2;
  EXPECT_EQ(Kernel(kGridBarrier, {8, 1, 1}, {64, 1, 1}).error(one_core(), kWithoutTiming), "");
  EXPECT_EQ(Kernel(kGridBarrier, {16, 1, 1}, {64, 1, 1}).error(two_cores, kWithoutTiming), "");
  EXPECT_THAT(Kernel(kGridBarrier, {17, 1, 1}, {64, 1, 1}).error(two_cores, kWithoutTiming),
              AllOf(HasSubstr("is livelocked"), HasSubstr("without timing 16 blocks run at a time\n"),
                    HasSubstr("block (3, 0, 0)\n"), HasSubstr("and 12 blocks more\n")));
}

// Thread 0 reads for all, which meet behind it in each turn of the loop.
TEST(FunctionalRun, a_block_may_wait_for_another_one_between_barriers) {
  const Kernel kernel(R"(
    setp.eq.u32 %p0, %r0, 1;
    @%p0 st.volatile.global.u32 [%out], 3;
    @%p0 ret;
  WAIT:
    setp.eq.u32 %p0, %thread, 0;
    @%p0 ld.volatile.global.u32 %r3, [%out];
    setp.ne.u32 %p1, %r3, 0;
    bar.red.or.pred %p2, 0, %p1;
    @!%p2 bra WAIT;
    ret;)",
                      {2, 1, 1}, {64, 1, 1});
  EXPECT_EQ(kernel.error(one_core(), kWithoutTiming), "");
}

// 24 blocks, of which the first waits for the last.
TEST(FunctionalRun, a_block_begins_when_another_one_has_ended) {
  const Kernel kernel(R"(
    setp.eq.u32 %p0, %r0, 23;
    @%p0 st.volatile.global.u32 [%out], 5;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 ret;
  WAIT:
    atom.global.cas.b32 %r2, [%out], 0, 0;
    setp.eq.u32 %p0, %r2, 0;
    @%p0 bra WAIT;
    st.global.u32 [%out + 4], %r2;
    ret;)",
                      {24, 1, 1}, {32, 1, 1});
  EXPECT_EQ(kernel.error(one_core(), kWithoutTiming), "");
  EXPECT_EQ(kernel.out()[1], 5u);
}

// 100 numbers, each after a wait: a whole turn each would be 6,553,600 instructions.
TEST(FunctionalRun, a_warp_that_polls_soon_makes_way_for_others) {
  const Kernel kernel(kPingPong, {}, {64, 1, 1});
  const report::LaunchRecord record = kernel.run(one_core(), kWithoutTiming);
  EXPECT_EQ(kernel.out()[0], 100u);
  EXPECT_LT(record.warp_instructions, 20000u);
}

// The other blocks need not show it anew: of each wait a turn of 64 instructions, and some 8 that do something.
TEST(FunctionalRun, what_one_block_has_shown_holds_for_the_launch) {
  const Kernel one(kPingPong, {}, {64, 1, 1}), four(kPingPong, {4, 1, 1}, {64, 1, 1});
  const std::uint64_t first = one.run(one_core(), kWithoutTiming).warp_instructions;
  EXPECT_GT(first, 4096u);
  EXPECT_LT(four.run(one_core(), kWithoutTiming).warp_instructions, first + 3 * 100 * (64 + 8));
  EXPECT_EQ(four.out()[3], 100u);
}

// Each half warp comes to MEET after 2 instructions. The first one is 254 instructions into it when its turn of 256 is
// over; the other one follows it there, and both go on together. That END may be entered otherwise keeps it from being
// the postdominator.
TEST(FunctionalRun, threads_meet_in_the_midst_of_a_basic_block) {
  const Kernel kernel(R"(
    setp.lt.u32 %p0, %thread, 16;
    setp.gt.u32 %p3, %thread, 99;
    @%p0 bra LOW;
    add.u32 %r2, %r2, 1;
    bra MEET;
  LOW:
    add.u32 %r2, %r2, 2;
    @%p3 bra END;
  MEET:
)" + repeated(600, "add.u32 %r3, %r3, 1;") +
                          "END: ret;",
                      {}, {32, 1, 1});
  EXPECT_EQ(kernel.run(one_core("multi-path-or"), kWithoutTiming).active_lanes[16], 2 * 256u);
}

TEST(FunctionalRun, says_of_a_livelock_what_may_be_waited_for) {
  const std::string error = Kernel(kWaitForNobody, {2, 1, 1}, {32, 1, 1}).error(one_core(), kWithoutTiming);
  EXPECT_THAT(error, AllOf(HasSubstr("kernel 'kernel' is livelocked: no thread can ever get any further"),
                           HasSubstr("without timing 2 blocks run at a time"),
                           HasSubstr("for the host or for a kernel in another stream: launches run at once"),
                           Not(HasSubstr("cycle")), Not(HasSubstr("--divergence"))));
}

TEST(FunctionalRun, names_a_mechanism_for_a_lock_whose_holder_is_held_back) {
  const Kernel kernel(R"(
  SPIN:
    atom.global.cas.b32 %r2, [%out], 0, 1;
    setp.ne.u32 %p0, %r2, 0;
    @%p0 bra SPIN;
    atom.global.exch.b32 %r2, [%out], 0;
    ret;)",
                      {}, {32, 1, 1});
  EXPECT_THAT(kernel.error(one_core(), kWithoutTiming),
              AllOf(HasSubstr("it may run under --divergence thread-frontier or convergence-barrier\n"),
                    HasSubstr("1 block runs at a time")));
  kernel.clear_out();
  EXPECT_EQ(kernel.error(one_core("thread-frontier"), kWithoutTiming), "");
}

TEST(FunctionalRun, a_deadlock_names_no_cycle) {
  const Kernel kernel("setp.eq.u32 %p0, %thread, 0; @%p0 bar.sync 0; bar.sync 1; ret;", {}, {64, 1, 1});
  EXPECT_THAT(kernel.error(one_core("multi-path"), kWithoutTiming),
              AllOf(HasSubstr("is deadlocked after "), HasSubstr(" warp instructions of a block: no thread")));
}

}  // namespace functional_run_test
}  // namespace warpfork::gpu
