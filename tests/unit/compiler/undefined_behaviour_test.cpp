#include "compiler/undefined_behaviour.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace undefined_behaviour_test {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(UndefinedBehaviour, unset_values_may_be_passed_and_returned_by_whichever_name_the_clang_knows) {
  EXPECT_THAT(words_of({.other_types = true}, 14),
              ElementsAre("-fno-strict-return", "-Xclang", "-disable-noundef-analysis"));
  EXPECT_THAT(words_of({.other_types = true}, 15),
              ElementsAre("-fno-strict-return", "-Xclang", "-no-enable-noundef-analysis"));
  EXPECT_THAT(words_of({.other_types = true}, 0), ElementsAre("-fno-strict-return"));
  EXPECT_THAT(words_of({.unset_values = true, .other_types = true}, 14), IsEmpty());
}

TEST(UndefinedBehaviour, memory_may_be_read_as_another_type) {
  EXPECT_THAT(words_of({.unset_values = true}, 14), ElementsAre("-fno-strict-aliasing"));
}

}  // namespace undefined_behaviour_test
}  // namespace warpfork::compiler
