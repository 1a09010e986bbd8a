// Barriers and exits of one thread block, its warps led by hand.
#include "gpu/resident_block.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace resident_block_test {

/// The kernel's first block; warps run only when they are told to.
class Block {
 public:
  explicit Block(const std::string& body, unsigned threads, const char* mechanism = "pdom")
      : kernel_(body, {}, {threads, 1, 1}), block_(kernel_.launch(), find_divergence_mechanism(mechanism).make({})) {
    block_.start({0, 0, 0}, 0);
  }
  /// Runs the warp until none of its splits may issue; the warps that the last step may have changed.
  WarpSet run(WarpId warp) {
    WarpSet changed;
    while (!block_.domain().runnable(warp).empty())
      changed = block_.execute(block_.domain().runnable(warp)[0], 0).changed;
    return changed;
  }
  bool may_run(WarpId warp) const { return !block_.domain().runnable(warp).empty(); }
  ResidentBlock* operator->() { return &block_; }
  const Kernel& kernel() const { return kernel_; }

 private:
  Kernel kernel_;
  ResidentBlock block_;
};

const std::string kAfter = "st.global.u32 [%mine], 1; ret;";

TEST(ResidentBlock, a_barrier_opens_when_the_last_warp_has_come) {
  Block block("bar.sync 0;" + kAfter, 96);
  block.run(0);
  block.run(1);
  EXPECT_NE(block->waiting_threads(), 0u);
  EXPECT_FALSE(block.may_run(0));
  EXPECT_FALSE(block->finished());
  // Warp 2 goes on to its end; its barrier step has let the others go.
  block.run(2);
  EXPECT_EQ(block->waiting_threads(), 0u);
  EXPECT_TRUE(block.may_run(0));
  block.run(0);
  block.run(1);
  EXPECT_TRUE(block->finished());
}

TEST(ResidentBlock, opening_a_barrier_changes_all_the_warps_that_waited) {
  Block block("bar.sync 0;" + kAfter, 64);
  block.run(0);
  Step step;
  do step = block->execute(block->domain().runnable(1)[0], 0);
  while (step.instruction->kind != simt::InstructionKind::Barrier);
  EXPECT_EQ(step.changed, WarpSet(0b11));
  EXPECT_EQ(block->domain().split(block->domain().runnable(0)[0]).pc, step.pc + 1);
}

TEST(ResidentBlock, the_threads_of_a_partly_filled_warp_are_enough) {
  Block block("bar.sync 0;" + kAfter, 40);
  block.run(0);
  block.run(1);
  EXPECT_EQ(block->waiting_threads(), 0u);
}

TEST(ResidentBlock, threads_that_exit_are_not_waited_for) {
  Block block("setp.ge.u32 %p0, %thread, 32; @%p0 exit; bar.sync 0;" + kAfter, 64);
  block.run(0);
  EXPECT_EQ(block->live_threads(), 64u);
  EXPECT_NE(block->waiting_threads(), 0u);
  block.run(1);
  EXPECT_EQ(block->live_threads(), 32u);
  EXPECT_EQ(block->waiting_threads(), 0u);
  EXPECT_TRUE(block.may_run(0));
}

TEST(ResidentBlock, exits_of_part_of_a_warp_open_the_barrier_as_well) {
  Block block("setp.eq.u32 %p0, %thread, 5; @%p0 exit; bar.sync 0;" + kAfter, 32);
  block.run(0);
  EXPECT_TRUE(block->finished());
}

TEST(ResidentBlock, a_barrier_whose_guard_is_false_for_all_is_passed) {
  Block block("setp.ge.u32 %p0, %thread, 32; @%p0 bar.sync 0;" + kAfter, 32);
  block.run(0);
  EXPECT_TRUE(block->finished());
}

TEST(ResidentBlock, a_barrier_whose_guard_is_true_for_one_holds_the_split) {
  Block block("setp.eq.u32 %p0, %thread, 0; @%p0 bar.sync 0;" + kAfter, 64);
  block.run(0);
  EXPECT_NE(block->waiting_threads(), 0u);
}

TEST(ResidentBlock, a_named_barrier_opens_for_as_many_threads_as_it_names) {
  Block block("bar.sync 1, 64;" + kAfter, 96);
  block.run(0);
  EXPECT_NE(block->waiting_threads(), 0u);
  block.run(2);
  EXPECT_EQ(block->waiting_threads(), 0u);
}

TEST(ResidentBlock, barriers_of_different_numbers_do_not_meet) {
  Block block("setp.ge.u32 %p0, %thread, 32; @%p0 bra OTHER; bar.sync 1;" + kAfter + "OTHER: bar.sync 2;" + kAfter, 64);
  block.run(0);
  block.run(1);
  EXPECT_NE(block->waiting_threads(), 0u);
  EXPECT_FALSE(block.may_run(0));
  EXPECT_FALSE(block.may_run(1));
}

TEST(ResidentBlock, a_barrier_serves_many_times) {
  Block block(repeated(3, "bar.sync 0;") + kAfter, 64);
  for (unsigned turn = 0; turn < 4; ++turn) {
    block.run(0);
    block.run(1);
  }
  EXPECT_TRUE(block->finished());
}

TEST(ResidentBlock, a_deadlock_report_names_split_lanes_pc_and_line) {
  Block block("bar.sync 0;" + kAfter, 64);
  block.run(1);
  const Pc pc = block->domain().split(kSplitsPerWarp).pc;
  EXPECT_THAT(block->describe(),
              ::testing::HasSubstr(fmt::format("warp 1 split 0 lanes {} waits at the barrier at pc {} (PTX line {})",
                                               ActiveMask(~0u).to_string(32), pc,
                                               block.kernel().program().function->body[pc].location.line)));
}

TEST(ResidentBlock, a_step_says_which_lanes_ran_and_where_they_go) {
  Block block("setp.lt.u32 %p0, %thread, 4; @%p0 bra FEW; add.u32 %r2, %r2, 1; FEW:" + kAfter, 32);
  Step step;
  do step = block->execute(block->domain().runnable(0)[0], 0);
  while (step.instruction->kind != simt::InstructionKind::Branch);
  EXPECT_EQ(step.active, ActiveMask(~0u));
  EXPECT_EQ(step.executed, ActiveMask(0xf));
  EXPECT_EQ(step.places, 2u);
}

TEST(ResidentBlock, a_block_that_has_ended_may_become_another) {
  Block block("bar.sync 0;" + kAfter, 32);
  block.run(0);
  block->start({0, 0, 0}, 1);
  EXPECT_EQ(block->live_threads(), 32u);
  block.run(0);
  EXPECT_TRUE(block->finished());
}

TEST(ResidentBlock, a_register_that_was_not_written_is_zero_in_every_block) {
  Block block("add.u32 %r5, %r5, 7; st.global.u32 [%mine], %r5; ret;", 32);
  block.run(0);
  block->start({0, 0, 0}, 0);
  block.run(0);
  EXPECT_EQ(block.kernel().out()[0], 7u);
}

/// Of 8 texels of 4 bytes (simt::Image).
const std::string kTexture = R"(
.global .align 8 .u32 texels[8];
.global .align 8 .u64 texture[8] = {0x0004010058455457, generic(texels), 0x100000008, 1, 0, 0, 0, 0};)";

TEST(ResidentBlock, an_access_that_half_of_a_wide_warp_does_not_make_is_the_other_halfs) {
  Kernel kernel("mov.u64 %d1, texture; tex.1d.v4.u32.s32 {%r1, _, _, _}, [%d1, {%thread}];" + kAfter, {}, {64, 1, 1},
                64, kTexture);
  kernel.launch().warp_size = 64;
  ResidentBlock block(kernel.launch(), find_divergence_mechanism("pdom").make({}));
  block.start({0, 0, 0}, 0);
  Step step;
  do step = block.execute(block.domain().runnable(0)[0], 0);
  while (step.instruction->kind != simt::InstructionKind::Load || !step.instruction->read_only);
  EXPECT_EQ(block.access(step).lanes, ActiveMask::first(8));
  EXPECT_EQ(block.access(step).bytes, 4);
}

}  // namespace resident_block_test
}  // namespace warpfork::gpu
