// MULTIPATH's programs under the dual-path stack, tables and timelines drawn by hand.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "golden/golden_file.h"
#include "golden/scenario.h"

namespace warpfork::golden {
namespace dual_path_golden_test {

std::string path_of(const std::string& name) { return "tests/golden/divergence/dual_path_" + name + ".golden"; }

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class DualPathGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(DualPathGolden, tables_and_timeline_are_as_drawn_by_hand) {
  check(path_of(GetParam()), [](const std::string& input) { return Scenario().run(input); });
}

TEST_P(DualPathGolden, is_on_the_page_of_the_mechanism) {
  const std::string golden = read(path_of(GetParam()));
  EXPECT_NE(read("docs/mechanisms/dual-path.md").find(golden.substr(golden.find("----\n") + 5)), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Program, DualPathGolden, ::testing::Values("figure_2", "figure_6", "one_sided", "three_paths"),
                         [](const auto& info) { return std::string(info.param); });

// The other mechanisms on the program of three_paths. By hand: pdom stalls for D and E one after the other, and for B;
// multi-path issues B+1 and B+2 while D and E wait.
TEST(DualPath, is_faster_than_one_path_and_slower_than_three) {
  const std::string golden = read(path_of("three_paths"));
  const std::string input = golden.substr(golden.find("block A"), golden.find("----\n") - golden.find("block A"));
  EXPECT_TRUE(Scenario().run("mechanism pdom\n" + input).ends_with("\n18 cycles, 7 idle\n"));
  EXPECT_TRUE(Scenario().run("mechanism dual-path\n" + input).ends_with("\n13 cycles, 2 idle\n"));
  EXPECT_TRUE(Scenario().run("mechanism multi-path\n" + input).ends_with("\n12 cycles, 1 idle\n"));
}

}  // namespace dual_path_golden_test
}  // namespace warpfork::golden
