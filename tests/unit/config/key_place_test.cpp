#include "config/key_place.h"

#include <gtest/gtest.h>

#include <fstream>

#include "unit/test_folder.h"

namespace warpfork::config {
namespace key_place_test {

TEST(KeyPlace, is_that_of_the_value_in_whatever_form_its_table_is_written) {
  const std::string file = test_folder() + "/key_place.toml";
  std::ofstream(file) << "cores = 2\n[core]\nscheduler = \"gto\"\nl1d.sets = 32\n";
  EXPECT_EQ(place_of_key(file, "cores"), file + ":1:9: error: ");
  EXPECT_EQ(place_of_key(file, "core.scheduler"), file + ":3:13: error: ");
  EXPECT_EQ(place_of_key(file, "core.l1d.sets"), file + ":4:12: error: ");
  EXPECT_EQ(place_of_key(file, "core.warps"), std::nullopt);
}

}  // namespace key_place_test
}  // namespace warpfork::config
