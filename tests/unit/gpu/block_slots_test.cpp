#include "gpu/block_slots.h"

#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "end_warp.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace block_slots_test {

/// Slots for two blocks of two warps of a kernel that does nothing.
struct TwoSlots {
  Kernel kernel{"ret;", {4, 1, 1}, {64, 1, 1}};
  BlockSlots blocks{48};

  TwoSlots() { blocks.begin_kernel(kernel.launch(), 2, find_divergence_mechanism("pdom").of_core({})); }
};

TEST(BlockSlots, give_a_block_as_many_warp_slots_as_it_has_warps) {
  TwoSlots two;
  EXPECT_EQ(two.blocks.start({0, 0, 0}, 0), 0u);
  EXPECT_EQ(two.blocks.start({1, 0, 0}, 0), 1u);
  EXPECT_EQ(two.blocks.first_warp(1), 2u);
  EXPECT_EQ(two.blocks.slot_of(3), 1u);
  EXPECT_EQ(two.blocks.in_block(3), 1u);
  EXPECT_EQ(&two.blocks.block_of(3), &two.blocks.block(1));
  EXPECT_EQ(two.blocks.live(), WarpSlots(0b1111));
}

TEST(BlockSlots, have_room_until_each_holds_a_block) {
  TwoSlots two;
  EXPECT_EQ(two.blocks.running(), 0u);
  two.blocks.start({0, 0, 0}, 0);
  EXPECT_TRUE(two.blocks.has_room());
  two.blocks.start({1, 0, 0}, 0);
  EXPECT_FALSE(two.blocks.has_room());
  EXPECT_EQ(two.blocks.running(), 2u);
}

TEST(BlockSlots, keep_a_block_until_its_last_warp_is_retired) {
  TwoSlots two;
  two.blocks.start({0, 0, 0}, 0);
  end_warp(two.blocks, 0);
  EXPECT_EQ(two.blocks.live(), WarpSlots(0b10));
  EXPECT_EQ(two.blocks.finishing(), WarpSlots(0b01));
  two.blocks.retire(0);
  EXPECT_EQ(two.blocks.running(), 1u);
  end_warp(two.blocks, 1);
  two.blocks.retire(1);
  EXPECT_EQ(two.blocks.running(), 0u);
  EXPECT_EQ(two.blocks.start({1, 0, 0}, 0), 0u);  // the slot is free again
}

TEST(BlockSlots, do_not_end_a_warp_with_threads_left) {
  TwoSlots two;
  two.blocks.start({0, 0, 0}, 0);
  two.blocks.note_end(0);
  EXPECT_TRUE(two.blocks.is_live(0));
  EXPECT_TRUE(two.blocks.finishing().none());
}

TEST(BlockSlots, know_who_came_first) {
  TwoSlots two;
  two.blocks.start({0, 0, 0}, 0);
  two.blocks.start({1, 0, 0}, 0);
  for (unsigned warp = 0; warp < 2; ++warp) {
    end_warp(two.blocks, warp);
    two.blocks.retire(warp);
  }
  two.blocks.start({2, 0, 0}, 0);  // in the slot of the first
  EXPECT_EQ(two.blocks.ages().oldest(WarpSlots(0b1111)), 2u);
  EXPECT_EQ(two.blocks.ages().oldest(WarpSlots(0b1011)), 3u);
  EXPECT_EQ(two.blocks.ages().oldest(WarpSlots(0b0011)), 0u);
}

TEST(BlockSlots, describe_the_blocks_that_they_hold) {
  TwoSlots two;
  const auto wait = [](unsigned warp, SplitId) { return warp == 0 ? "is first" : "is second"; };
  EXPECT_EQ(two.blocks.describe("here: ", wait), "");
  two.blocks.start({3, 0, 0}, 0);
  const std::string text = two.blocks.describe("here: ", wait);
  EXPECT_EQ(text.find("here: block (3, 0, 0)"), 0u);
  EXPECT_NE(text.find("is second"), std::string::npos);
}

}  // namespace block_slots_test
}  // namespace warpfork::gpu
