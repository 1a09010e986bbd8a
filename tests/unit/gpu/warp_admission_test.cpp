#include "gpu/warp_admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace warpfork::gpu {
namespace warp_admission_test {

using ::testing::ElementsAre;

/// STSIMT Table III and I: 8 lanes of 2,048 registers and 4 warps each.
CoreSpec table_iii() {
  CoreSpec core;
  core.threads = 1024;
  core.warps = 32;
  core.blocks = 16;
  core.registers = 16384;
  core.shared.bytes = 65536;
  return core;
}

struct Admission {
  CoreSpec core = table_iii();
  WarpAdmission of{core, 8};
  unsigned blocks = 0;

  Admission(unsigned threads, unsigned registers, std::uint32_t shared = 0) {
    of.begin_kernel(threads, {registers}, shared);
  }
  std::vector<unsigned> admit(unsigned warps) {
    const std::span<const unsigned> lanes = of.admit(blocks++ * warps);
    return {lanes.begin(), lanes.end()};
  }
};

// The example of section 3.7: the half filled warp of the second block goes to the lane of the first one's.
TEST(WarpAdmission, partly_filled_warps_of_112_threads_share_a_lane) {
  Admission admission(112, 20);
  EXPECT_THAT(admission.admit(4), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(admission.admit(4), ElementsAre(4, 5, 6, 3));
}

// No more of them than make up a full warp.
TEST(WarpAdmission, blocks_of_16_threads_take_lanes_in_pairs_and_of_8_in_fours) {
  Admission half(16, 20), quarter(8, 20);
  std::vector<unsigned> halves, quarters;
  for (unsigned block = 0; block < 5; ++block) {
    halves.push_back(half.admit(1).front());
    quarters.push_back(quarter.admit(1).front());
  }
  EXPECT_THAT(halves, ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(quarters, ElementsAre(0, 0, 0, 0, 1));
}

// Before it goes to an empty lane.
TEST(WarpAdmission, a_half_filled_warp_takes_the_place_of_one_that_has_exited) {
  Admission admission(16, 20);
  for (unsigned block = 0; block < 4; ++block) admission.admit(1);
  admission.of.free_warp(0);
  EXPECT_THAT(admission.admit(1), ElementsAre(0));
}

// 40 registers a thread: a full warp takes 1,280 of a lane's 2,048 and a half filled one 640. Two blocks fill lanes 0
// to 3 and 4 to 6 with both half filled warps in lane 3; of a third block only one full warp and the half find room.
TEST(WarpAdmission, a_block_comes_only_when_all_of_its_warps_fit) {
  Admission admission(112, 40);
  admission.admit(4);
  EXPECT_TRUE(admission.of.fits());
  admission.admit(4);
  EXPECT_FALSE(admission.of.fits());
}

TEST(WarpAdmission, registers_are_free_when_a_warp_exits_not_its_block) {
  Admission admission(128, 40);
  admission.admit(4);
  admission.admit(4);
  EXPECT_FALSE(admission.of.fits());
  for (const unsigned warp : {1u, 2u, 5u}) admission.of.free_warp(warp);
  EXPECT_FALSE(admission.of.fits());
  admission.of.free_warp(7);
  EXPECT_TRUE(admission.of.fits());
  EXPECT_THAT(admission.admit(4), ElementsAre(1, 2, 5, 7));
}

// A core of 32 warps has local memory for 32, whatever slots they are in.
TEST(WarpAdmission, a_warp_takes_the_place_in_local_memory_of_one_that_has_exited) {
  Admission admission(128, 4);
  for (unsigned block = 0; block < 8; ++block) admission.admit(4);
  EXPECT_EQ(admission.of.local_place(31), 31u);
  for (const unsigned warp : {30u, 5u, 6u, 17u}) admission.of.free_warp(warp);
  admission.admit(4);  // slots 32 to 35
  EXPECT_EQ(admission.of.local_place(32), 5u);
  EXPECT_EQ(admission.of.local_place(35), 30u);
}

TEST(WarpAdmission, shared_memory_is_a_blocks_until_its_last_warp_exits) {
  Admission admission(64, 4, 40000);
  admission.admit(2);
  EXPECT_FALSE(admission.of.fits());
  admission.of.free_warp(0);
  EXPECT_FALSE(admission.of.fits());
  admission.of.free_warp(1);
  EXPECT_TRUE(admission.of.fits());
}

TEST(WarpAdmission, lanes_hold_their_share_of_the_warps_and_the_core_its_blocks) {
  Admission small(32, 4), large(128, 4);
  for (unsigned block = 0; block < 16; ++block) {
    EXPECT_TRUE(small.of.fits());
    small.admit(1);
  }
  EXPECT_FALSE(small.of.fits());  // 16 blocks
  for (unsigned block = 0; block < 8; ++block) large.admit(4);
  EXPECT_FALSE(large.of.fits());  // 32 warps
}

}  // namespace warp_admission_test
}  // namespace warpfork::gpu
