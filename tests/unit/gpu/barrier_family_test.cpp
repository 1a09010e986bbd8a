// The whole bar family on every mechanism, timed and functional; expected values by hand from PTX ISA, "bar, barrier".
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "divergence/registry.h"
#include "gtx480_spec.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace barrier_family_test {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

/// Parameters: mechanism, and whether the run is functional only.
class BarrierFamily : public ::testing::TestWithParam<std::tuple<std::string, bool>> {
 protected:
  LaunchOptions options() const { return {.functional_only = std::get<1>(GetParam()), .max_cycles = 1000000}; }
  MachineSpec spec() const { return one_core(std::get<0>(GetParam())); }

  /// Where warps part block-wide, the second side of a branch never starts if the first waits for it.
  bool sides_take_turns() const { return find_divergence_mechanism(std::get<0>(GetParam())).sides_take_turns; }

  /// What the threads of one block leave in their words of `out`.
  std::vector<std::uint32_t> run(const std::string& body, unsigned threads) const {
    const Kernel kernel(body + " ret;", {}, {threads, 1, 1}, threads, kShared);
    EXPECT_EQ(kernel.error(spec(), options()), "");
    return kernel.out();
  }
  std::string error(const std::string& body, unsigned threads) const {
    return Kernel(body + " ret;", {}, {threads, 1, 1}, threads, kShared).error(spec(), options());
  }

  static constexpr const char* kShared = ".shared .align 4 .b8 word[256];";
};

const std::string kBelow40 = "setp.lt.u32 %p0, %thread, 40; ";

TEST_P(BarrierFamily, popc_counts_the_threads_of_the_block_whose_predicate_is_true) {
  EXPECT_THAT(run(kBelow40 + "bar.red.popc.u32 %r2, 1, %p0; st.global.u32 [%mine], %r2;", 100), Each(40));
  EXPECT_THAT(run(kBelow40 + "bar.red.popc.u32 %r2, 1, !%p0; st.global.u32 [%mine], %r2;", 100), Each(60));
  EXPECT_THAT(run("barrier.cta.red.popc.aligned.u32 %r2, 0, 1; st.global.u32 [%mine], %r2;", 100), Each(100));
}

TEST_P(BarrierFamily, and_and_or_say_whether_all_or_any_are_true) {
  const auto result = [&](const std::string& word, unsigned threads) {
    return run(kBelow40 + "bar.red." + word + "; selp.u32 %r2, 7, 8, %p1; st.global.u32 [%mine], %r2;", threads);
  };
  EXPECT_THAT(result("and.pred %p1, 1, %p0", 100), Each(8));
  EXPECT_THAT(result("and.pred %p1, 1, %p0", 40), Each(7));
  EXPECT_THAT(result("or.pred %p1, 1, %p0", 100), Each(7));
  EXPECT_THAT(result("or.pred %p1, 1, !%p0", 40), Each(8));
  EXPECT_THAT(result("and.pred %p1, 1, 64, !%p0", 40), Each(8));
}

// PTX ISA, "barrier.cluster"; the cluster is this block.
TEST_P(BarrierFamily, of_a_cluster_is_one_beside_those_that_have_numbers) {
  const auto neighbours =
      run("mov.u32 %r1, word; shl.b32 %r2, %thread, 2; add.u32 %r2, %r2, %r1; st.shared.u32 [%r2], %thread;\n"
          "barrier.cluster.arrive.release.aligned; bar.sync 0; barrier.cluster.wait.acquire.aligned;\n"
          "xor.b32 %r3, %thread, 33; shl.b32 %r3, %r3, 2; add.u32 %r3, %r3, %r1; ld.shared.u32 %r3, [%r3];\n"
          "setp.lt.u32 %p0, %thread, 32; @%p0 exit; barrier.cluster.arrive; barrier.cluster.wait;\n"
          "st.global.u32 [%mine], %r3;",
          64);
  for (unsigned thread = 32; thread < 64; ++thread) EXPECT_EQ(neighbours[thread], thread ^ 33);
}

TEST_P(BarrierFamily, a_reduction_is_among_the_threads_that_take_part) {
  // Pairs of warps: barrier 1 for warps 0 and 1, barrier 2 for warps 2 and 3, in registers.
  const auto out = run(R"(
    shr.u32 %r2, %thread, 6;
    add.u32 %r2, %r2, 1;
    mov.u32 %r3, 64;
    setp.lt.u32 %p0, %thread, 70;
    bar.red.popc.u32 %r5, %r2, %r3, %p0;
    st.global.u32 [%mine], %r5;)",
                       128);
  EXPECT_EQ(out[0], 64u);
  EXPECT_EQ(out[63], 64u);
  EXPECT_EQ(out[64], 6u);
  EXPECT_EQ(out[127], 6u);
}

TEST_P(BarrierFamily, threads_that_have_exited_have_no_vote) {
  const auto out = run(R"(
    and.b32 %r2, %thread, 3;
    setp.eq.u32 %p0, %r2, 0;
    @%p0 exit;
    setp.eq.u32 %p0, %r2, 1;
    bar.red.popc.u32 %r3, 0, !%p0;
    st.global.u32 [%mine], %r3;)",
                       64);
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(out[1], 32u);
}

TEST_P(BarrierFamily, a_reduction_serves_many_times) {
  const auto out = run(R"(
    mov.u32 %r2, 0;
    mov.u32 %r3, 0;
  AGAIN:
    setp.ge.u32 %p0, %r2, %thread;
    bar.red.popc.u32 %r4, 0, %p0;
    add.u32 %r3, %r3, %r4;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 5;
    @%p1 bra AGAIN;
    st.global.u32 [%mine], %r3;)",
                       96);
  EXPECT_THAT(out, Each(1 + 2 + 3 + 4 + 5));
}

// The example of the ISA: a producer that does not wait, and a consumer.
TEST_P(BarrierFamily, producer_and_consumer_take_turns) {
  const std::string body = R"(
    mov.u32 %r2, 0;
    mov.u32 %r5, 0;
    and.b32 %r6, %thread, 31;
    shl.b32 %r6, %r6, 2;
    mov.u32 %r7, word;
    add.u32 %r6, %r6, %r7;
    setp.ge.u32 %p0, %thread, 32;
    @%p0 bra CONSUMER;
  PRODUCER:
    add.u32 %r3, %thread, %r2;
    st.shared.u32 [%r6], %r3;
    bar.arrive 0, 64;
    add.u32 %r5, %r5, 1;
    bar.sync 1, 64;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 4;
    @%p1 bra PRODUCER;
    bra END;
  CONSUMER:
    bar.sync 0, 64;
    ld.shared.u32 %r4, [%r6];
    add.u32 %r5, %r5, %r4;
    bar.arrive 1, 64;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 4;
    @%p1 bra CONSUMER;
  END:
    st.global.u32 [%mine], %r5;)";
  if (sides_take_turns()) {
    EXPECT_THAT(error(body, 64),
                AllOf(HasSubstr("is deadlocked"), HasSubstr("they meet there under --divergence pdom")));
    return;
  }
  const auto out = run(body, 64);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane], 4u);
    EXPECT_EQ(out[32 + lane], 4 * lane + (0 + 1 + 2 + 3)) << lane;
  }
}

// More blocks than the core holds at once: each finds its barriers as new.
TEST_P(BarrierFamily, what_arrived_and_met_nobody_does_not_reach_the_next_block) {
  EXPECT_EQ(
      Kernel("mov.u32 %r2, %tid.x; setp.ge.u32 %p0, %r2, 32; @%p0 exit; bar.arrive 2, 64; ret;", {40, 1, 1}, {96, 1, 1})
          .error(spec(), options()),
      "");
}

TEST_P(BarrierFamily, a_warp_that_is_not_full_counts_as_a_whole) {
  EXPECT_EQ(error("bar.sync 1, 64;", 40), "");
  EXPECT_EQ(error("setp.ge.u32 %p0, %thread, 64; @%p0 bra OUT; bar.sync 1, 64; OUT:", 72), "");
  // Warp 0 without its even lanes, and warp 1.
  EXPECT_EQ(error(R"(
    setp.ge.u32 %p1, %thread, 64;
    @%p1 bra OUT;
    and.b32 %r2, %thread, 33;
    setp.eq.u32 %p0, %r2, 0;
    @%p0 exit;
    bar.sync 1, 64;
  OUT:)",
                  96),
            "");
}

// The even threads wait for the odd ones, which wait for them where `if (even) barrier` ends, unless who waits at a
// barrier holds nobody up.
TEST_P(BarrierFamily, a_guard_that_parts_a_warp_at_a_barrier_to_wait_at_deadlocks) {
  const char* body = "and.b32 %r2, %thread, 1; setp.eq.u32 %p0, %r2, 0; @%p0 barrier.sync 0; @!%p0 barrier.sync 0;";
  if (!find_divergence_mechanism(std::get<0>(GetParam())).waits_at_reconvergence) {
    EXPECT_EQ(error(body, 64), "");
    return;
  }
  EXPECT_THAT(error(body, 64),
              AllOf(HasSubstr("is deadlocked"), HasSubstr("barrier 0: 32 threads have come, it waits for all threads"),
                    HasSubstr(fmt::format("lanes {} waits at the barrier", ActiveMask(0x55555555).to_string(32)))));
}

TEST_P(BarrierFamily, a_guard_decides_for_every_thread_whether_it_arrives) {
  const std::string body = R"(
    and.b32 %r2, %thread, 1;
    setp.eq.u32 %p0, %r2, 0;
    setp.ge.u32 %p1, %thread, 32;
    @%p1 bra WAIT;
    @%p0 bar.arrive 7, 64;
    st.shared.u32 [word], 3;
    @!%p0 bar.arrive 7, 64;
    bra OUT;
  WAIT:
    bar.sync 7, 64;
    ld.shared.u32 %r3, [word];
    st.global.u32 [%mine], %r3;
  OUT:)";
  const auto out = run(body, 64);
  EXPECT_EQ(out[31], 0u);
  EXPECT_EQ(out[32], 3u);
}

TEST_P(BarrierFamily, a_guard_that_is_the_same_for_a_warp_lets_it_come_or_pass) {
  const auto out = run(R"(
    setp.lt.u32 %p0, %thread, 64;
    mov.u32 %r3, 9;
    @%p0 bar.red.popc.u32 %r3, 4, 64, 1;
    @!%p0 bar.arrive 5, 64;
    setp.ge.u32 %p1, %thread, 32;
    @%p1 bra OUT;
    bar.sync 5, 64;
  OUT:
    st.global.u32 [%mine], %r3;)",
                       96);
  EXPECT_EQ(out[0], 64u);
  EXPECT_EQ(out[63], 64u);
  EXPECT_EQ(out[95], 9u);
}

TEST_P(BarrierFamily, bad_uses_are_errors_with_thread_pc_and_line) {
  const std::string late = error("mov.u32 %r2, 16; bar.sync %r2;", 64);
  EXPECT_THAT(late, HasSubstr("kernel.ptx:"));
  EXPECT_THAT(late, HasSubstr("kernel 'kernel', thread (0,0,0) of block (0,0,0): there is no barrier 16"));
  EXPECT_THAT(late, HasSubstr("instruction 8: bar.sync"));  // behind seven of the frame and mov
  EXPECT_THAT(error("mov.u32 %r2, 0; bar.sync 1, %r2;", 64), HasSubstr("a barrier for 0 threads"));
  EXPECT_THAT(error("mov.u32 %r2, 96; bar.sync 1, %r2;", 64), HasSubstr("a barrier for 96 threads"));
  EXPECT_THAT(error("bar.arrive 1, 96;", 64), HasSubstr("a multiple of 32 up to 64 is allowed"));
  EXPECT_THAT(error("setp.ge.u32 %p0, %thread, 32; @%p0 exit; bar.arrive 1, 64; bar.sync 1, 64;", 96),
              HasSubstr("the thread has come to barrier 1 already"));
  EXPECT_THAT(error("setp.lt.u32 %p0, %thread, 32; @%p0 bar.arrive 1, 64; @!%p0 bar.arrive 1, 96;", 128),
              HasSubstr("waits for 96 threads here, for 64 threads where others have come to it"));
  EXPECT_THAT(error("and.b32 %r2, %thread, 7; bar.sync %r2;", 64), HasSubstr("in another thread of its warp"));
}

TEST_P(BarrierFamily, threads_that_have_exited_are_not_waited_for_by_name_either) {
  EXPECT_EQ(error("setp.lt.u32 %p0, %thread, 32; @%p0 bra OUT; bar.sync 3, 64; OUT:", 64), "");
}

// Warp 0 counts once, as threads that have come; warp 1 must not go on before warp 2, which comes late, has written.
TEST_P(BarrierFamily, threads_that_have_arrived_and_exited_count_once) {
  const auto out = run(R"(
    setp.lt.u32 %p0, %thread, 32;
    @%p0 bar.arrive 1, 96;
    @%p0 exit;
    setp.ge.u32 %p1, %thread, 64;
    selp.u32 %r2, 300, 1, %p1;
  LATE:
    sub.u32 %r2, %r2, 1;
    setp.ne.u32 %p2, %r2, 0;
    @%p2 bra LATE;
    mov.u32 %r3, word;
    @%p1 st.shared.u32 [%r3], 7;
    bar.sync 1, 96;
    ld.shared.u32 %r4, [%r3];
    st.global.u32 [%mine], %r4;)",
                       96);
  for (unsigned thread = 32; thread < 96; ++thread) EXPECT_EQ(out[thread], 7u) << thread;
}

TEST_P(BarrierFamily, a_deadlock_report_says_how_many_have_come) {
  EXPECT_THAT(error("setp.lt.u32 %p0, %thread, 64; @%p0 bra OUT; bar.sync 3, 64; OUT:", 96),
              HasSubstr("barrier 3: 32 threads have come, it waits for 64 threads"));
}

INSTANTIATE_TEST_SUITE_P(All, BarrierFamily,
                         ::testing::Combine(::testing::ValuesIn(divergence_mechanism_names()), ::testing::Bool()),
                         [](const auto& info) {
                           std::string name = std::get<0>(info.param);
                           for (char& letter : name)
                             if (letter == '-') letter = '_';
                           return name + (std::get<1>(info.param) ? "_functional" : "_timed");
                         });

}  // namespace barrier_family_test
}  // namespace warpfork::gpu
