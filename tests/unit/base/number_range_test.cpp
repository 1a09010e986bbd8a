#include "base/number_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork {
namespace number_range_test {

TEST(NumberRange, begins_with_the_least_number_that_there_is) {
  EXPECT_TRUE(number_range("--cores", "0-1", 0).contains(0));
  EXPECT_TRUE(number_range("--cores", "-1", 0).contains(0));
  EXPECT_FALSE(number_range("--launches", "-1", 1).contains(0));
  EXPECT_THAT([] { number_range("--launches", "0-1", 1); },
              ::testing::ThrowsMessage<Error>("--launches '0-1': expected A-B, A-, -B or A, numbers from 1 on"));
}

}  // namespace number_range_test
}  // namespace warpfork
