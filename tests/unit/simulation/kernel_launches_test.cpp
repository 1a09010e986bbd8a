#include "simulation/kernel_launches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::simulation {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// f<int>, g, g
const report::Json kLaunches = {
    {{"name", "_Z1fIiEvv"}, {"cycles", 1}}, {{"name", "_Z1gv"}, {"cycles", 2}}, {{"name", "_Z1gv"}, {"cycles", 3}}};

TEST(KernelLaunches, are_those_whose_names_match) {
  const report::Json of_g = launches_of_kernels(kLaunches, "^g$", "kernels");
  ASSERT_EQ(of_g.size(), 2u);
  EXPECT_EQ(of_g[1]["cycles"], 3);
  EXPECT_EQ(launches_of_kernels(kLaunches, "^f<int>$|^h$", "kernels").size(), 1u);
  EXPECT_EQ(launches_of_kernels(kLaunches, "", "kernels"), kLaunches);
}

TEST(KernelLaunches, of_a_name_that_none_has_are_an_error_with_the_names_there_are) {
  EXPECT_THAT([] { launches_of_kernels(kLaunches, "^h$", "kernels"); },
              ThrowsMessage<Error>(HasSubstr("kernels '^h$': no such kernel was launched; no result is written\n"
                                             "  launched: f<int>, g")));
  EXPECT_EQ(launches_of_kernels(report::Json::array(), "", "kernels").size(), 0u);
}

}  // namespace
}  // namespace warpfork::simulation
