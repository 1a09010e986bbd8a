#include "gpu/divergence_effects.h"

#include <gtest/gtest.h>

#include "effects_bench.h"

namespace warpfork::gpu {
namespace divergence_effects_test {

TEST(DivergenceEffects, give_every_warp_of_a_new_block_an_entry) {
  EffectsBench effects;
  EXPECT_EQ(effects.buffers.of.of_warp(0), EntrySet(0b01));
  EXPECT_EQ(effects.buffers.of.of_warp(1), EntrySet(0b10));
  EXPECT_EQ(effects.census.thread_cycles(), report::ThreadCycles{});  // no cycle has passed
}

TEST(DivergenceEffects, let_a_split_wait_for_an_entry_until_another_warp_has_ended) {
  EffectsBench effects;
  while (effects.buffers.runnable(0).size() == 1) effects.step(0);
  EXPECT_EQ(effects.buffers.of.waiting(), WarpSlots(0b01));
  while (effects.buffers.blocks.is_live(1)) effects.step(1);
  EXPECT_EQ(effects.buffers.blocks.finishing(), WarpSlots(0b10));
  EXPECT_TRUE(effects.buffers.of.waiting().none());
  EXPECT_EQ(effects.buffers.of.of_warp(0), EntrySet(0b11));
}

TEST(DivergenceEffects, count_threads_that_have_exited) {
  EffectsBench effects;
  while (effects.buffers.blocks.is_live(1)) effects.step(1);
  effects.buffers.of.set_clock(10);
  EXPECT_EQ(effects.census.thread_cycles()[static_cast<unsigned>(report::ThreadState::Finished)], 32u * 10);
}

}  // namespace divergence_effects_test
}  // namespace warpfork::gpu
