#include "report/activity_samples.h"

#include <gtest/gtest.h>

namespace warpfork::report {
namespace activity_samples_test {

ActivitySample sample(std::uint64_t number) {
  ActivitySample sample;
  sample.activity.instructions = number;
  sample.activity.flits = 2 * number;
  sample.memory.dram.writes = 3 * number;
  return sample;
}

TEST(ActivitySamples, come_back_as_they_went_in) {
  ActivityCount launch;
  add_sample(launch, sample(1));
  add_sample(launch, sample(5));
  const std::vector<ActivitySample> samples = samples_of(launch);
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[1].activity.instructions, 5u);
  EXPECT_EQ(samples[1].activity.flits, 10u);
  EXPECT_EQ(samples[1].memory.dram.writes, 15u);
}

// The 64th sample makes 32 of them, those at the ends of two windows.
TEST(ActivitySamples, thin_out_as_the_launch_grows) {
  ActivityCount launch;
  launch.window = 100;
  for (std::uint64_t i = 1; i < kActivitySamples; ++i) add_sample(launch, sample(i));
  EXPECT_EQ(samples_of(launch).size(), kActivitySamples - 1);
  EXPECT_EQ(launch.window, 100u);
  add_sample(launch, sample(kActivitySamples));
  ASSERT_EQ(samples_of(launch).size(), kActivitySamples / 2);
  EXPECT_EQ(launch.window, 200u);
  EXPECT_EQ(samples_of(launch).front().activity.instructions, 2u);
  EXPECT_EQ(samples_of(launch).back().activity.instructions, kActivitySamples);
}

}  // namespace activity_samples_test
}  // namespace warpfork::report
