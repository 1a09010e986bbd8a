#include "simulation/kernel_launches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::simulation {
namespace kernel_launches_test {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// f<int>, g, g
std::vector<report::LaunchRecord> launches() {
  std::vector<report::LaunchRecord> launches;
  for (const char* name : {"_Z1fIiEvv", "_Z1gv", "_Z1gv"}) {
    report::LaunchRecord& launch = launches.emplace_back();
    launch.name = name;
    launch.cycles = launches.size();
  }
  return launches;
}

TEST(KernelLaunches, are_those_whose_names_match) {
  const auto of_g = launches_of_kernels(launches(), "^g$", "kernels");
  ASSERT_EQ(of_g.size(), 2u);
  EXPECT_EQ(of_g[1].cycles, 3u);
  EXPECT_EQ(launches_of_kernels(launches(), "^f<int>$|^h$", "kernels").size(), 1u);
  EXPECT_EQ(launches_of_kernels(launches(), "", "kernels").size(), 3u);
}

TEST(KernelLaunches, of_a_name_that_none_has_are_an_error_with_the_names_there_are) {
  EXPECT_THAT([] { launches_of_kernels(launches(), "^h$", "kernels"); },
              ThrowsMessage<Error>(HasSubstr("kernels '^h$': no such kernel was launched; no result is written\n"
                                             "  launched: f<int>, g")));
  EXPECT_EQ(launches_of_kernels({}, "", "kernels").size(), 0u);
}

}  // namespace kernel_launches_test
}  // namespace warpfork::simulation
