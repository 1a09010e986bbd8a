#include "gpu/register_homes.h"

#include <gtest/gtest.h>

#include "exchange.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace register_homes_test {

struct Homes {
  Kernel kernel{"ret;", {1, 1, 1}, {64, 1, 1}};
  BlockSlots blocks{2};
  RegisterHomes of;

  explicit Homes(bool regroups = true) : of(2, regroups, blocks) {
    blocks.begin_kernel(kernel.launch(), 1, [] { return std::make_unique<Exchange>(); });
    blocks.start({0, 0, 0}, 0);
  }
  void note(unsigned warp) { of.note(warp, blocks.block(0).domain().runnable(warp)); }
};

TEST(RegisterHomes, are_the_places_themselves_where_threads_stay_in_their_warp) {
  Homes homes(false);
  EXPECT_EQ(homes.of.users(0), WarpSlots(0b01));
  EXPECT_EQ(homes.of.users(1), WarpSlots(0b10));
}

TEST(RegisterHomes, are_used_by_every_place_with_a_thread_of_the_warp) {
  Homes homes;
  homes.note(0);
  EXPECT_EQ(homes.of.users(0), WarpSlots(0b01));
  EXPECT_EQ(homes.of.users(1), WarpSlots(0b01));  // its odd lanes run in place 0
  homes.note(1);
  EXPECT_EQ(homes.of.users(0), WarpSlots(0b11));
  EXPECT_EQ(homes.of.users(1), WarpSlots(0b11));
}

TEST(RegisterHomes, are_left_when_the_split_is_gone) {
  Homes homes;
  homes.note(0);
  homes.note(1);
  homes.blocks.block(0).domain().advance(0, {}, kNoPc);
  homes.note(0);
  EXPECT_EQ(homes.of.users(0), WarpSlots(0b10));
  EXPECT_EQ(homes.of.users(1), WarpSlots(0b10));
}

}  // namespace register_homes_test
}  // namespace warpfork::gpu
