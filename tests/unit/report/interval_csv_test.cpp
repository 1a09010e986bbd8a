#include "report/interval_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpfork::report {
namespace interval_csv_test {

TEST(IntervalCsv, has_a_row_for_each_interval_under_the_names_of_its_keys) {
  LaunchRecord launch;
  launch.name = "_Z1fIiLi2EEvv";  // f<int, 2>
  launch.intervals.window = 100;
  IntervalSample& sample = launch.intervals.samples.emplace_back();
  sample.cycles = 100;
  sample.thread_instructions = 50;
  sample.stalls[0] = 17;
  sample.lane_threads = {3, 4};
  const std::string text = interval_csv(std::vector{LaunchRecord(), launch});
  EXPECT_THAT(text, ::testing::StartsWith("launch,kernel,begin,cycles,warp_instructions,thread_instructions,ipc,"));
  EXPECT_THAT(text, ::testing::HasSubstr(",stall_cycles.pipeline,stall_cycles.memory,"));
  EXPECT_THAT(text, ::testing::HasSubstr(",lane_threads\n2,\"f<int, 2>\",0,100,0,50,0.5,"));
  EXPECT_THAT(text, ::testing::EndsWith(",3 4\n"));
}

}  // namespace interval_csv_test
}  // namespace warpfork::report
