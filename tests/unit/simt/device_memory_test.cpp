// Device memory whose addresses --memcheck gives again as late as it can.
#include "simt/device_memory.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::simt {
namespace device_memory_test {

constexpr std::uint64_t kBase = DeviceMemory::kBase, kUnit = DeviceMemory::kAlignment;

/// Of eight units, of which an allocation of n units less a byte takes n.
class WatchedMemory : public testing::Test {
 protected:
  WatchedMemory() { memory_.watch(); }
  std::uint64_t allocate(std::uint64_t units) { return memory_.allocate(units * kUnit - 1, "any"); }

  DeviceMemory memory_{8 * kUnit};
};

TEST_F(WatchedMemory, that_is_freed_is_given_again_whole_when_the_end_is_reached) {
  for (int round = 0; round < 3; ++round) {
    memory_.free(allocate(5));
    EXPECT_EQ(memory_.allocations().size(), 0u);
  }
  EXPECT_EQ(allocate(8), kBase);
}

TEST_F(WatchedMemory, behind_the_last_allocation_is_a_hole_too) {
  EXPECT_EQ(allocate(2), kBase);
  memory_.free(allocate(6));
  EXPECT_THROW(allocate(7), Error);
  EXPECT_EQ(allocate(6), kBase + 2 * kUnit);
}

// What was given again may reach further than anything before it.
TEST_F(WatchedMemory, allocations_in_holes_never_touch_those_at_the_end) {
  memory_.free(allocate(4));
  EXPECT_EQ(allocate(6), kBase);
  EXPECT_EQ(allocate(2), kBase + 6 * kUnit);
  EXPECT_THROW(allocate(1), Error);
}

}  // namespace device_memory_test
}  // namespace warpfork::simt
