#include "report/launch_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::report {
namespace launch_range_test {

TEST(LaunchRange, has_both_its_ends) {
  const NumberRange range = launch_range("3-7");
  EXPECT_FALSE(range.contains(2));
  EXPECT_TRUE(range.contains(3));
  EXPECT_TRUE(range.contains(7));
  EXPECT_FALSE(range.contains(8));
}

TEST(LaunchRange, may_be_open_or_a_single_launch) {
  EXPECT_TRUE(launch_range("").contains(1));
  EXPECT_TRUE(launch_range("3-").contains(1000000));
  EXPECT_FALSE(launch_range("3-").contains(2));
  EXPECT_TRUE(launch_range("-3").contains(1));
  EXPECT_FALSE(launch_range("-3").contains(4));
  EXPECT_FALSE(launch_range("3").contains(4));
}

TEST(LaunchRange, refuses_what_is_none) {
  for (const char* text : {"-", "0-3", "7-3", "a-b", "3-7x", "3--7", "99999999999999999999"})
    EXPECT_THAT([&] { launch_range(text); },
                ::testing::ThrowsMessage<Error>(::testing::HasSubstr("--launches '" + std::string(text) + "'")));
}

}  // namespace launch_range_test
}  // namespace warpfork::report
