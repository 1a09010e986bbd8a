// Threads of one warp that meet at a barrier from different paths (MULTIPATH section 3.3.3).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "gtx480_spec.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace divergent_barrier_test {

using ::testing::HasSubstr;

/// Even and odd threads wait at the barrier of their own path; then even ones read what their neighbour wrote.
const std::string kDivergentBarrier = R"(
  and.b32 %r2, %thread, 1;
  setp.eq.u32 %p0, %r2, 0;
  @%p0 bra EVEN;
  st.global.u32 [%mine], %thread;
  bar.sync 0;
  bra MEET;
EVEN:
  bar.sync 0;
  ld.global.u32 %r3, [%mine + 4];
  st.global.u32 [%mine], %r3;
MEET:
  ret;)";

/// Parameter: whether the run is functional only.
class DivergentBarrier : public ::testing::TestWithParam<bool> {
 protected:
  LaunchOptions options() const { return {.functional_only = GetParam(), .max_cycles = 1000000}; }
};

TEST_P(DivergentBarrier, deadlocks_under_pdom_and_the_error_names_who_waits_where) {
  const Kernel kernel(kDivergentBarrier, {2, 1, 1}, {64, 1, 1});
  Pc pc = 0;  // of the second barrier: the taken side runs first
  for (Pc i = 0; i < kernel.program().code.size(); ++i)
    if (kernel.program().code[i].kind == simt::InstructionKind::Barrier) pc = i;
  const std::string error = kernel.error(one_core("pdom"), options());
  // Split 2: the top of warp 1's three stack entries.
  EXPECT_THAT(error,
              HasSubstr(GetParam() ? "kernel 'kernel' is deadlocked after " : "'kernel' is deadlocked at cycle "));
  EXPECT_THAT(error, HasSubstr("they meet there under --divergence multi-path"));
  EXPECT_THAT(error, HasSubstr("block (0, 0, 0)"));
  EXPECT_THAT(error, HasSubstr(fmt::format("warp 1 split 2 lanes {} waits at the barrier at pc {} (PTX line {})",
                                           ActiveMask(0x55555555).to_string(32), pc,
                                           kernel.program().function->body[pc].location.line)));
}

// Thread t makes t mod 4 rounds; what it has left to do keeps it where the loop ends.
TEST_P(DivergentBarrier, of_a_loop_that_threads_leave_one_by_one_opens_under_thread_frontier_alone) {
  const std::string loop =
      "and.b32 %r2, %thread, 3;\nmov.u32 %r3, 0;\nLOOP:\nsetp.ge.u32 %p0, %r3, %r2;\n@%p0 bra DONE;\nadd.u32 %r3, %r3, "
      "1;\nbar.sync 0;\nbra LOOP;\nDONE:\nst.global.u32 [%mine], %r3;\nret;";
  for (const std::string& mechanism : divergence_mechanism_names()) {
    const Kernel kernel(loop, {1, 1, 1}, {64, 1, 1});
    const std::string error = kernel.error(one_core(mechanism), options());
    if (mechanism != "thread-frontier")
      EXPECT_THAT(error, HasSubstr("they go on under --divergence thread-frontier")) << mechanism;
    else
      EXPECT_EQ(error + std::to_string(kernel.out()[63]), "3");
  }
}

TEST_P(DivergentBarrier, opens_under_multi_path) {
  for (const char* mechanism : {"multi-path", "multi-path-or"}) {
    const Kernel kernel(kDivergentBarrier, {2, 1, 1}, {64, 1, 1});
    EXPECT_EQ(kernel.error(one_core(mechanism), options()), "") << mechanism;
    EXPECT_EQ(kernel.out()[0], 1u);
    EXPECT_EQ(kernel.out()[126], 127u);
  }
}

TEST_P(DivergentBarrier, opens_for_more_splits_than_the_core_has_buffer_entries) {
  MachineSpec spec = one_core("multi-path");
  spec.core.warps = 3;
  spec.core.schedulers = 1;
  const Kernel kernel(kDivergentBarrier, {1, 1, 1}, {96, 1, 1});
  EXPECT_EQ(kernel.error(spec, options()), "");
  EXPECT_EQ(kernel.out()[94], 95u);
}

TEST_P(DivergentBarrier, opens_on_a_full_core) {
  const Kernel kernel(kDivergentBarrier, {6, 1, 1}, {256, 1, 1});  // 48 warps, 96 splits, 48 entries
  EXPECT_EQ(kernel.error(one_core("multi-path"), options()), "");
  EXPECT_EQ(kernel.out()[6 * 256 - 2], 6u * 256 - 1);
}

TEST_P(DivergentBarrier, splits_that_wait_at_a_memory_barrier_keep_their_buffer_entries) {
  MachineSpec spec = one_core("multi-path");
  spec.core.warps = 1;
  spec.core.schedulers = 1;
  const Kernel kernel(R"(
    and.b32 %r2, %thread, 3;
    setp.lt.u32 %p0, %r2, 2;
    st.global.u32 [%mine], %r2;
    @%p0 bra LOW;
    membar.gl;
    add.u32 %r2, %r2, 10;
    bra MEET;
  LOW:
    st.global.u32 [%mine], %r2;
    membar.gl;
    add.u32 %r2, %r2, 20;
  MEET:
    st.global.u32 [%mine], %r2;
    ret;)",
                      {}, {32, 1, 1});
  EXPECT_EQ(kernel.error(spec, options()), "");
  EXPECT_EQ(kernel.out()[0], 20u);
  EXPECT_EQ(kernel.out()[3], 13u);
}

INSTANTIATE_TEST_SUITE_P(Run, DivergentBarrier, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "functional" : "timed"; });

}  // namespace divergent_barrier_test
}  // namespace warpfork::gpu
