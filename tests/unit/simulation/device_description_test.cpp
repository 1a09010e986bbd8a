// What a program is told of the device that runs it.
#include <gtest/gtest.h>

#include "config/description.h"
#include "gpu/machine_spec.h"
#include "simulation/simulation.h"

namespace warpfork::simulation {
namespace device_description_test {

cuda::DeviceDescription described(unsigned threads, unsigned warps, unsigned warp_size) {
  gpu::MachineSpec spec;
  spec.core.threads = threads;
  spec.core.warps = warps;
  spec.core.warp_size = warp_size;
  return device_description({{"machine", config::to_json(spec)}});
}

TEST(DeviceDescription, has_as_many_threads_as_the_core_and_its_warps_hold) {
  EXPECT_EQ(described(1536, 48, 32).max_threads_per_core, 1536);
  EXPECT_EQ(described(1536, 5, 32).max_threads_per_core, 160);
  EXPECT_EQ(described(100, 48, 32).max_threads_per_core, 100);
}

TEST(DeviceDescription, has_blocks_of_as_many_threads_but_1024_at_most) {
  EXPECT_EQ(described(1536, 48, 32).max_threads_per_block, 1024);
  EXPECT_EQ(described(1536, 48, 8).max_threads_per_block, 384);
}

// A block takes whole warps of a core: 26 of 40 threads are 1,040.
TEST(DeviceDescription, has_no_blocks_for_whose_warps_no_core_has_room) {
  EXPECT_EQ(described(1024, 48, 40).max_threads_per_block, 1000);
  EXPECT_EQ(described(1040, 48, 40).max_threads_per_block, 1024);
  EXPECT_EQ(described(100, 48, 32).max_threads_per_block, 96);
}

// 65536 sets of 64 lines of 128 bytes in 6 × 2 slices: 6 GB.
TEST(DeviceDescription, has_all_of_its_l2) {
  gpu::MachineSpec spec;
  spec.memory.l2.sets = 65536;
  spec.memory.l2.ways = 64;
  spec.memory.mapping.channels = 6;
  spec.memory.mapping.slices_per_channel = 2;
  EXPECT_EQ(device_description({{"machine", config::to_json(spec)}}).l2_bytes, 6ull << 30);
}

}  // namespace device_description_test
}  // namespace warpfork::simulation
