#include "base/named.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace warpfork {
namespace named_test {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct Fruit {
  std::string_view name;
  int stones;
};
constexpr std::array kFruits = {Fruit{"plum", 1}, Fruit{"fig", 0}};

TEST(Named, are_found_by_their_names) {
  EXPECT_EQ(names_of(kFruits), (std::vector<std::string>{"plum", "fig"}));
  EXPECT_EQ(&find_named(kFruits, "fig", "fruit", "fruits"), &kFruits[1]);
}

TEST(Named, that_are_not_there_are_told_with_the_nearest_and_all) {
  EXPECT_THAT([] { find_named(kFruits, "plumb", "fruit", "fruits"); },
              ThrowsMessage<Error>(HasSubstr("no fruit 'plumb'\n  did you mean plum? all fruits: plum, fig")));
}

TEST(Named, twice_in_an_options_list_are_refused) {
  require_distinct("--cores", {"smt", "simt-x"});
  EXPECT_THAT(
      [] {
        require_distinct("--cores", {"smt", "ditva", "smt"});
      },
      ThrowsMessage<Error>("--cores: 'smt' is named twice"));
}

}  // namespace named_test
}  // namespace warpfork
