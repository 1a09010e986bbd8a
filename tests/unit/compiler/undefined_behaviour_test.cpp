#include "compiler/undefined_behaviour.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace undefined_behaviour_test {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(UndefinedBehaviour, unset_values_may_be_passed_and_returned_by_whichever_name_the_clang_knows) {
  EXPECT_THAT(words_of({}, 14), ElementsAre("-fno-strict-return", "-Xclang", "-disable-noundef-analysis"));
  EXPECT_THAT(words_of({}, 15), ElementsAre("-fno-strict-return", "-Xclang", "-no-enable-noundef-analysis"));
  EXPECT_THAT(words_of({}, 0), ElementsAre("-fno-strict-return"));
  EXPECT_THAT(words_of({.unset_values = true}, 14), IsEmpty());
}

}  // namespace undefined_behaviour_test
}  // namespace warpfork::compiler
