// The lanes of a machine's threads: where they are permuted, and which may be in use.
#include "gpu/thread_lanes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "gtx480_spec.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace thread_lanes_test {

MachineSpec permuted(const std::string& mechanism, const std::string& permutation = "balanced") {
  MachineSpec spec = one_core(mechanism);
  spec.divergence.lane_permutation = permutation;
  return spec;
}

TEST(ThreadLanes, are_permuted_where_threads_are_regrouped) {
  for (const char* mechanism : {"tbc", "capri"})
    EXPECT_EQ(lane_permutation(permuted(mechanism)), simt::LanePermutation::Balanced);
  for (const char* mechanism : {"pdom", "multi-path", "convergence-barrier"})
    EXPECT_EQ(lane_permutation(permuted(mechanism)), simt::LanePermutation::Identity);
}

TEST(ThreadLanes, of_a_small_block_are_the_lowest_ones_unless_they_are_permuted) {
  EXPECT_EQ(used_lanes(permuted("tbc", "identity"), 20), 20u);
  EXPECT_EQ(used_lanes(permuted("tbc", "identity"), 100), 32u);
  EXPECT_EQ(used_lanes(permuted("tbc"), 20), 32u);
  EXPECT_EQ(used_lanes(permuted("pdom"), 20), 20u);
}

TEST(ThreadLanes, are_permuted_in_warps_of_a_power_of_two_of_threads_alone) {
  const Kernel kernel = if_else("mov.u32 %r2, %thread;");
  MachineSpec spec = permuted("tbc");
  spec.core.warp_size = 24;
  EXPECT_THAT(kernel.error(spec), testing::HasSubstr("divergence.lane_permutation = 'balanced': lanes are permuted in "
                                                     "warps of a power of two of threads; core.warp_size is 24"));
  spec.divergence.mechanism = "pdom";
  EXPECT_EQ(kernel.error(spec), "");
}

TEST(ThreadLanes, have_a_permutation_that_there_is) {
  EXPECT_THAT(if_else("mov.u32 %r2, %thread;").error(permuted("tbc", "mirror")),
              testing::HasSubstr("no lane permutation 'mirror'"));
}

}  // namespace thread_lanes_test
}  // namespace warpfork::gpu
