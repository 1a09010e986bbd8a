// Splits whose lanes belong to several warps: their registers stay in the home warps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exchange.h"
#include "gpu/resident_block.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace compacted_split_test {

class CompactedSplitTest : public ::testing::Test {
 protected:
  /// Runs the split to its end; the last step that touched memory.
  Step run(ResidentBlock& block, SplitId id) {
    Step last;
    while (!block.domain().runnable(id / kMaxWarpSize).empty()) {
      const Step step = block.execute(id, 0);
      if (step.instruction->kind == simt::InstructionKind::Store) {
        last = step;
        access_ = block.access(step);
      }
    }
    return last;
  }
  simt::MemoryAccess access_;
};

TEST_F(CompactedSplitTest, computes_in_the_registers_of_the_home_warps) {
  Kernel kernel("mul.lo.u32 %r5, %thread, 3; st.global.u32 [%mine], %r5; ret;", {}, {64, 1, 1});
  ResidentBlock block(kernel.launch(), std::make_unique<Exchange>());
  block.start({0, 0, 0}, 0);
  run(block, 0);
  for (unsigned thread = 0; thread < 64; ++thread)  // even threads of warp 0, odd ones of warp 1
    EXPECT_EQ(kernel.out()[thread], thread % 2 == thread / 32 ? 3 * thread : 0) << thread;
  run(block, kMaxWarpSize);
  for (unsigned thread = 0; thread < 64; ++thread) EXPECT_EQ(kernel.out()[thread], 3 * thread) << thread;
}

TEST_F(CompactedSplitTest, touches_memory_in_one_access_of_all_its_lanes) {
  Kernel kernel("st.global.u32 [%mine], 1; ret;", {}, {64, 1, 1});
  ResidentBlock block(kernel.launch(), std::make_unique<Exchange>());
  block.start({0, 0, 0}, 0);
  run(block, 0);
  EXPECT_EQ(access_.lanes, ActiveMask::first(32));
  // Lane 1 is thread 33, 33 words after lane 0's.
  EXPECT_EQ(access_.address[1] - access_.address[0], 33u * 4);
  EXPECT_EQ(access_.address[2] - access_.address[0], 2u * 4);
}

TEST_F(CompactedSplitTest, obeys_the_guards_of_the_home_warps) {
  Kernel kernel("setp.lt.u32 %p1, %thread, 32; @%p1 st.global.u32 [%mine], 1; ret;", {}, {64, 1, 1});
  ResidentBlock block(kernel.launch(), std::make_unique<Exchange>());
  block.start({0, 0, 0}, 0);
  EXPECT_EQ(run(block, 0).executed, ActiveMask(kEven));
}

TEST_F(CompactedSplitTest, votes_at_a_barrier_with_the_predicates_of_the_home_warps) {
  Kernel kernel(R"(
    setp.lt.u32 %p1, %thread, 10;
    bar.red.popc.u32 %r5, 0, %p1;
    bar.red.or.pred %p2, 0, %p1;
    @%p2 st.global.u32 [%mine], %r5;
    ret;)",
                {}, {64, 1, 1});
  ResidentBlock block(kernel.launch(), std::make_unique<Exchange>());
  block.start({0, 0, 0}, 0);
  for (unsigned turn = 0; turn < 3; ++turn)
    for (const SplitId id : {0u, kMaxWarpSize}) run(block, id);
  for (unsigned thread = 0; thread < 64; ++thread) EXPECT_EQ(kernel.out()[thread], 10u) << thread;
}

// Threads 0 to 31 meet at barrier 1, the others at barrier 2: a split with threads of both waits for both.
TEST_F(CompactedSplitTest, waits_at_the_barriers_of_all_its_home_warps) {
  Kernel kernel(R"(
    shr.u32 %r5, %thread, 5;
    add.u32 %r6, %r5, 1;
    setp.eq.u32 %p1, %r5, 0;
    bar.red.popc.u32 %r7, %r6, 32, %p1;
    st.global.u32 [%mine], %r7;
    ret;)",
                {}, {64, 1, 1});
  ResidentBlock block(kernel.launch(), std::make_unique<Exchange>());
  block.start({0, 0, 0}, 0);
  run(block, 0);
  EXPECT_TRUE(block.waits(0));
  run(block, kMaxWarpSize);
  EXPECT_EQ(block.waiting_threads(), 0u);
  run(block, 0);
  for (unsigned thread = 0; thread < 64; ++thread) EXPECT_EQ(kernel.out()[thread], thread < 32 ? 32u : 0u) << thread;
}

TEST_F(CompactedSplitTest, arrives_with_the_threads_whose_guard_is_true) {
  Kernel kernel(R"(
    setp.lt.u32 %p1, %thread, 32;
    @%p1 bar.arrive 1, 32;
    bar.red.popc.u32 %r7, 1, 32, 1;
    ret;)",
                {}, {64, 1, 1});
  ResidentBlock block(kernel.launch(), std::make_unique<Exchange>());
  block.start({0, 0, 0}, 0);
  Step step;
  do step = block.execute(0, 0);
  while (step.instruction->kind != simt::InstructionKind::Barrier);
  EXPECT_EQ(step.executed, ActiveMask(kEven));
  EXPECT_EQ(step.homes.size(), 2u);
  EXPECT_EQ(step.homes[1].lanes, ActiveMask(~kEven));
  EXPECT_THAT(block.describe(), ::testing::HasSubstr("barrier 1: 16 threads have come"));
}

}  // namespace compacted_split_test
}  // namespace warpfork::gpu
