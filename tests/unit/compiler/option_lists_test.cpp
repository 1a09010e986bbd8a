#include "compiler/option_lists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace option_lists_test {

using ::testing::ElementsAre;

TEST(OptionLists, are_parted_at_commas_that_nothing_guards) {
  EXPECT_THAT(list_items("a,b c,,d"), ElementsAre("a", "b c", "d"));
  EXPECT_THAT(list_items("a\\,b,\"c,d\",e"), ElementsAre("a,b", "\"c,d\"", "e"));
  EXPECT_THAT(list_items(""), ElementsAre());
}

TEST(OptionLists, of_words_are_parted_as_the_shell_parts_them_too) {
  EXPECT_THAT(list_words("-a,-b -c"), ElementsAre("-a", "-b", "-c"));
  EXPECT_THAT(list_words("\"-a -b\",-c\\,d,\\\"e\\\""), ElementsAre("-a -b", "-c,d", "\"e\""));
}

}  // namespace option_lists_test
}  // namespace warpfork::compiler
