// The reference's control flow, memory, calls, barriers and warp-wide instructions; expected values by hand from the
// PTX ISA.
#include <gtest/gtest.h>

#include "base/error.h"
#include "reference_harness/harness.h"

namespace warpfork::reference {
namespace machine_test {

std::vector<ThreadRegisters> numbered(unsigned count) {
  std::vector<ThreadRegisters> threads(count);
  for (unsigned i = 0; i < count; ++i) threads[i].r[1] = i;
  return threads;
}

/// %r0 of every thread after the body, %r1 being the thread's number.
std::vector<std::uint32_t> r0_of_all(std::string_view body, unsigned count) {
  std::vector<std::uint32_t> values;
  for (const ThreadRegisters& thread : run_reference(body, numbered(count)).threads) values.push_back(thread.r[0]);
  return values;
}

TEST(ReferenceControl, a_loop_runs_as_often_as_its_counter_says) {
  const auto sums = r0_of_all(R"(
    mov.u32 %c0, 0;
  again:
    setp.ge.u32 %loop0, %c0, %r1;
    @%loop0 bra done;
    add.u32 %r0, %r0, %c0;
    add.u32 %c0, %c0, 1;
    bra again;
  done:)",
                              6);
  EXPECT_EQ(sums, (std::vector<std::uint32_t>{0, 0, 1, 3, 6, 10}));
}

TEST(ReferenceControl, a_false_guard_leaves_the_register_alone) {
  EXPECT_EQ(r0_of_all("setp.eq.u32 %p0, %r1, 1; @%p0 mov.u32 %r0, 7; @!%p0 mov.u32 %r0, 8;", 3),
            (std::vector<std::uint32_t>{8, 7, 8}));
}

TEST(ReferenceControl, an_indexed_branch_takes_the_label_of_its_table) {
  const auto values = r0_of_all(R"(
  table: .branchtargets first, second, first;
    brx.idx %r1, table;
  first:
    add.u32 %r0, %r0, 10;
  second:
    add.u32 %r0, %r0, 1;)",
                                3);
  EXPECT_EQ(values, (std::vector<std::uint32_t>{11, 1, 11}));
}

TEST(ReferenceControl, a_call_copies_arguments_in_and_results_out) {
  const std::string functions = R"(
.func (.param .b32 result) twice_plus(.param .b32 a, .param .b32 b)
{
  .reg .b32 %x<4>;
  ld.param.u32 %x0, [a];
  ld.param.u32 %x1, [b];
  shl.b32 %x0, %x0, 1;
  add.u32 %x0, %x0, %x1;
  st.param.b32 [result], %x0;
  ret;
}
)";
  ThreadRegisters before;
  before.r = {0, 5, 3, 0, 0, 0, 0, 0};
  const std::string body = R"(
  {
    .param .b32 a0;
    .param .b32 a1;
    .param .b32 back;
    st.param.b32 [a0], %r1;
    st.param.b32 [a1], %r2;
    call.uni (back), twice_plus, (a0, a1);
    ld.param.b32 %r0, [back];
  })";
  EXPECT_EQ(run_reference(body, {before}, functions).threads[0].r[0], 13u);
}

TEST(ReferenceControl, variables_for_arguments_lie_beside_the_kernels_own_parameters) {
  const Outcome outcome = run_reference(R"(
  {
    .param .b64 a0, a1;
    st.param.b64 [a0], 1;
    st.param.b64 [a1], 2;
    ld.param.u64 %d0, [out];
    sub.u64 %d0, %d0, %out;
  })",
                                        numbered(1));
  EXPECT_EQ(outcome.threads[0].d[0], 0u) << "the parameter is what it was before the stores";
}

TEST(ReferenceMemory, narrow_loads_extend_by_their_type) {
  EXPECT_EQ(r0_after("st.global.u32 [%out], %r1; ld.global.s8 %r0, [%out];", {0x80}), 0xffffff80u);
  EXPECT_EQ(r0_after("st.global.u32 [%out], %r1; ld.global.u8 %r0, [%out];", {0x1ff}), 0xffu);
  EXPECT_EQ(r0_after("st.global.u32 [%out], %r1; ld.global.s16 %r0, [%out+2];", {0x8000ffff}), 0xffff8000u);
}

TEST(ReferenceMemory, vectors_lie_in_ascending_order) {
  const Outcome outcome = run_reference(
      "st.global.v4.u32 [%out+16], {%r1, 7, %r2, 9}; ld.global.v2.u32 {%r3, %r0}, [%out+16];", numbered(1));
  EXPECT_EQ(outcome.out[5], 7u);
  EXPECT_EQ(outcome.threads[0].r[0], 7u);
}

TEST(ReferenceMemory, shared_memory_is_seen_by_the_other_threads_after_a_barrier) {
  const auto values = r0_of_all(R"(
    mov.u32 %r2, scratch;
    mad.lo.u32 %r3, %r1, 4, %r2;
    st.shared.u32 [%r3], %r1;
    bar.sync 0;
    xor.b32 %r4, %r1, 63;
    mad.lo.u32 %r3, %r4, 4, %r2;
    ld.shared.u32 %r0, [%r3];)",
                                64);
  EXPECT_EQ(values[0], 63u);
  EXPECT_EQ(values[40], 23u);
}

TEST(ReferenceMemory, a_generic_address_finds_its_space) {
  EXPECT_EQ(r0_after(R"(
    mov.u64 %d0, scratch;
    cvta.shared.u64 %d1, %d0;
    st.u32 [%d1], %r1;
    ld.shared.u32 %r0, [scratch];
    isspacep.shared %p0, %d1;
    isspacep.global %p1, %d1;
    @!%p0 mov.u32 %r0, 0;
    @%p1 mov.u32 %r0, 0;)",
                     {77}),
            77u);
}

TEST(ReferenceMemory, an_address_outside_every_allocation_is_an_error) {
  EXPECT_THROW(r0_after("ld.global.u32 %r0, [%out+8192];", {}), Error);
  EXPECT_THROW(r0_after("ld.global.u32 %r0, [%out+2];", {}), Error);
  EXPECT_THROW(r0_after("ld.shared.u32 %r0, [scratch+8192];", {}), Error);
}

TEST(ReferenceAtomics, give_the_old_value_and_happen_in_thread_order) {
  const Outcome outcome =
      run_reference("atom.global.add.u32 %r0, [%out], 2; red.global.max.u32 [%out+4], %r1;", numbered(5));
  EXPECT_EQ(outcome.threads[3].r[0], 6u);
  EXPECT_EQ(outcome.out[0], 10u);
  EXPECT_EQ(outcome.out[1], 4u);
}

TEST(ReferenceAtomics, inc_and_dec_wrap_at_their_bound) {
  // inc: old ≥ b ? 0 : old + 1; dec: old = 0 or old > b ? b : old − 1
  EXPECT_EQ(run_reference("atom.global.inc.u32 %r0, [%out], 2;", numbered(4)).out[0], 1u);
  EXPECT_EQ(run_reference("atom.global.dec.u32 %r0, [%out], 5;", numbered(3)).out[0], 3u);
  EXPECT_EQ(
      run_reference("atom.global.cas.b32 %r0, [%out], 0, %r2; atom.global.exch.b32 %r0, [%out+4], 9;", numbered(1))
          .out[1],
      9u);
}

TEST(ReferenceAtomics, float_addition_flushes_subnormals_in_global_memory_only) {
  ThreadRegisters subnormal;
  subnormal.r[1] = 5;
  EXPECT_EQ(run_reference("red.global.add.f32 [%out], %r1;", {subnormal}).out[0], 0u);
  EXPECT_EQ(after("red.shared.add.f32 [scratch], %r1; ld.shared.u32 %r0, [scratch];", subnormal).r[0], 5u);
}

TEST(ReferenceWarp, votes_count_the_lanes_that_are_there) {
  EXPECT_EQ(r0_of_all("setp.lt.u32 %p0, %r1, 3; vote.sync.ballot.b32 %r0, %p0, 0xffffffff;", 32)[31], 7u);
  EXPECT_EQ(
      r0_of_all("setp.lt.u32 %p0, %r1, 3; vote.sync.any.pred %p1, %p0, 0xffffffff; selp.u32 %r0, 1, 0, %p1;", 32)[9],
      1u);
  EXPECT_EQ(
      r0_of_all("setp.lt.u32 %p0, %r1, 3; vote.sync.uni.pred %p1, %p0, 0xffffffff; selp.u32 %r0, 1, 0, %p1;", 32)[9],
      0u);
}

TEST(ReferenceWarp, shuffles_move_values_within_their_segment) {
  EXPECT_EQ(r0_of_all("shfl.sync.bfly.b32 %r0, %r1, 1, 31, 0xffffffff;", 32)[6], 7u);
  // width 8: c = 31 | (32 − 8) << 8 = 0x181f
  EXPECT_EQ(r0_of_all("shfl.sync.idx.b32 %r0, %r1, 2, 0x181f, 0xffffffff;", 32)[13], 10u);
  EXPECT_EQ(r0_of_all("shfl.sync.up.b32 %r0, %r1, 3, 0x1800, 0xffffffff;", 32)[9], 9u);  // below its segment: own value
  EXPECT_EQ(r0_of_all("shfl.sync.up.b32 %r0, %r1, 3, 0x1800, 0xffffffff;", 32)[12], 9u);
  EXPECT_EQ(r0_of_all("shfl.sync.down.b32 %r0|%p0, %r1, 3, 0x181f, 0xffffffff; selp.u32 %r0, 1, 0, %p0;", 32)[13], 0u);
}

TEST(ReferenceWarp, matches_and_reductions_look_at_every_lane) {
  EXPECT_EQ(r0_of_all("and.b32 %r2, %r1, 1; match.any.sync.b32 %r0, %r2, 0xffffffff;", 32)[4], 0x55555555u);
  EXPECT_EQ(r0_of_all("match.all.sync.b32 %r0|%p0, %r1, 0xffffffff; selp.u32 %r0, 1, 0, %p0;", 32)[4], 0u);
  EXPECT_EQ(r0_of_all("redux.sync.add.u32 %r0, %r1, 0xffffffff;", 32)[0], 496u);
  EXPECT_EQ(r0_of_all("redux.sync.min.s32 %r0, %r1, 0xffffffff;", 32)[9], 0u);
}

TEST(ReferenceWarp, threads_of_a_divergent_warp_meet_by_their_membermask) {
  const auto values = r0_of_all(R"(
    setp.lt.u32 %p0, %r1, 16;
    @%p0 bra low;
    vote.sync.ballot.b32 %r0, 1, 0xffff0000;
    bra finish;
  low:
    activemask.b32 %r0;
    vote.sync.ballot.b32 %r0, 1, 0x0000ffff;)",
                                32);
  EXPECT_EQ(values[3], 0x0000ffffu);
  EXPECT_EQ(values[20], 0xffff0000u);
}

TEST(ReferenceBarriers, a_reduction_tells_every_thread_about_all) {
  const std::string below_40 = "setp.lt.u32 %p0, %r1, 40; ";
  EXPECT_EQ(r0_of_all(below_40 + "bar.red.popc.u32 %r0, 1, %p0;", 96)[95], 40u);
  EXPECT_EQ(r0_of_all(below_40 + "bar.red.popc.u32 %r0, 1, 96, !%p0;", 96)[0], 56u);
  EXPECT_EQ(r0_of_all(below_40 + "bar.red.and.pred %p1, 1, %p0; selp.u32 %r0, 7, 8, %p1;", 96)[0], 8u);
  EXPECT_EQ(r0_of_all(below_40 + "bar.red.or.pred %p1, 1, %p0; selp.u32 %r0, 7, 8, %p1;", 96)[95], 7u);
  EXPECT_EQ(r0_of_all(below_40 + "bar.red.and.pred %p1, 1, %p0; selp.u32 %r0, 7, 8, %p1;", 40)[0], 7u);
}

TEST(ReferenceBarriers, who_arrives_goes_on_and_who_waits_sees_what_it_wrote) {
  const auto values = r0_of_all(R"(
    setp.ge.u32 %p0, %r1, 32;
    @%p0 bra consumer;
    st.shared.u32 [scratch], 5;
    bar.arrive 3, 64;
    mov.u32 %r0, 1;
    bra finish;
  consumer:
    bar.sync 3, 64;
    ld.shared.u32 %r0, [scratch];)",
                                64);
  EXPECT_EQ(values[0], 1u);
  EXPECT_EQ(values[63], 5u);
}

TEST(ReferenceBarriers, a_warp_counts_as_a_whole_when_its_threads_have_come) {
  // 40 threads in two warps; lane 5 is gone.
  EXPECT_NO_THROW(r0_of_all("setp.eq.u32 %p0, %r1, 5; @%p0 exit; bar.sync 1, 64;", 40));
  EXPECT_THROW(r0_of_all("setp.lt.u32 %p0, %r1, 64; @%p0 exit; bar.sync 1, 64;", 96), Error);  // one of two warps
}

TEST(ReferenceBarriers, bad_numbers_are_errors) {
  EXPECT_THROW(r0_of_all("bar.sync 16;", 32), Error);
  EXPECT_THROW(r0_of_all("mov.u32 %r2, 0; bar.sync 1, %r2;", 32), Error);
  EXPECT_THROW(r0_of_all("bar.sync 1, 96;", 64), Error);
  EXPECT_THROW(r0_of_all("bar.arrive 1;", 64), Error);
  EXPECT_THROW(r0_of_all("bar.arrive 1, 64; bar.arrive 1, 64;", 96), Error);  // twice before it opens
}

TEST(ReferenceBarriers, threads_of_a_warp_meet_at_bar_warp_sync) {
  EXPECT_EQ(r0_of_all("st.shared.u32 [scratch], %r1; bar.warp.sync 0xffffffff; ld.shared.u32 %r0, [scratch];", 32)[0],
            31u);
}

// PTX ISA, "bar.warp.sync", sm_70 and later: the two barriers are one, so everyone reads what its neighbour has
// written.
TEST(ReferenceBarriers, threads_of_a_warp_meet_from_two_sides_of_a_branch) {
  const std::string side = "st.shared.u32 [%r4], %r3; bar.warp.sync -1; ld.shared.u32 %r0, [%r5]; ";
  const auto values = r0_of_all(
      "shl.b32 %r4, %r1, 2; xor.b32 %r5, %r4, 4; add.u32 %r4, %r4, %scratch; add.u32 %r5, %r5, %scratch;"
      "add.u32 %r3, %r1, 100; and.b32 %r2, %r1, 1; setp.eq.u32 %p0, %r2, 0; @%p0 bra even; " +
          side + "bra finish; even: add.u32 %r3, %r3, 1; " + side,
      32);
  EXPECT_EQ(values[0], 101u);
  EXPECT_EQ(values[1], 101u);
  EXPECT_EQ(values[30], 131u);
}

// The vote of member_masks: lanes 0 to 15 say yes on one side, the odd ones of the others on the other side.
TEST(ReferenceWarp, votes_from_two_sides_of_a_branch_are_one) {
  const auto values = r0_of_all(
      "setp.lt.u32 %p0, %r1, 16; and.b32 %r2, %r1, 1; setp.ne.u32 %p1, %r2, 0; @%p0 bra low;"
      "vote.sync.ballot.b32 %r0, %p1, -1; bra finish; low: vote.sync.ballot.b32 %r0, 1, -1;",
      32);
  EXPECT_EQ(values[0], 0xaaaaffffu);
  EXPECT_EQ(values[31], 0xaaaaffffu);
}

// Undefined by the ISA.
TEST(ReferenceErrors, a_thread_that_its_member_mask_does_not_name) {
  EXPECT_THROW(r0_of_all("vote.sync.ballot.b32 %r0, 1, 0xfffffffe;", 32), Error);
}

TEST(ReferenceErrors, a_deadlock_and_an_endless_loop_are_noticed) {
  EXPECT_THROW(
      r0_of_all("setp.eq.u32 %p0, %r1, 0; @%p0 bra finish; vote.sync.ballot.b32 %r0, 1, 0x3; bar.sync 1, 64;", 2),
      Error);
}

// The reference prints nothing and knows no assertions: it says so instead of going on without.
TEST(ReferenceErrors, calls_of_the_system_are_refused_by_name) {
  const std::string functions =
      ".extern .func (.param .b32 status) vprintf (.param .b64 format, .param .b64 list);\n"
      ".extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);\n";
  const auto refusal = [&](const std::string& call) -> std::string {
    try {
      run_reference("{ .param .b64 p; .param .b32 n; " + call + " }", numbered(1), functions);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(refusal("call (n), vprintf, (p, p);").find("function 'vprintf' has no body"), std::string::npos);
  EXPECT_NE(refusal("call __assertfail, (p, p, n, p, p);").find("function '__assertfail' has no body"),
            std::string::npos);
}

TEST(ReferenceErrors, what_is_not_supported_names_the_instruction) {
  try {
    r0_after("barrier.cluster.sync 0;", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'barrier'"), std::string::npos);
  }
}

}  // namespace machine_test
}  // namespace warpfork::reference
