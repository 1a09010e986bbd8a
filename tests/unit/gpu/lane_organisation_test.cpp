#include "gpu/lane_organisation.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::gpu {
namespace {

TEST(SpatialLanes, take_the_same_time_whatever_the_mask) {
  const auto lanes = find_lane_organisation("simt").make();
  for (const unsigned bits : {0u, 1u, 0xffffu, ~0u}) {
    const LaneTiming timing = lanes->occupy({.latency = 13, .interval = 2}, ActiveMask(bits));
    EXPECT_EQ(timing.latency, 13u);
    EXPECT_EQ(timing.interval, 2u);
  }
}

TEST(LaneOrganisations, an_unknown_name_is_an_error) { EXPECT_THROW(find_lane_organisation("scalar"), Error); }

}  // namespace
}  // namespace warpfork::gpu
