// The worked figures of MULTIPATH.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <utility>

#include "divergence/registry.h"
#include "golden/golden_file.h"
#include "scenario.h"

namespace warpfork::golden {
namespace golden_test {

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class DivergenceGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(DivergenceGolden, tables_and_timeline_are_those_of_the_paper) {
  check(std::string("tests/golden/divergence/") + GetParam() + ".golden",
        [](const std::string& input) { return Scenario().run(input); });
}

INSTANTIATE_TEST_SUITE_P(Figure, DivergenceGolden,
                         ::testing::Values("figure_3_pdom", "figure_5_multi_path", "figure_6_nested",
                                           "figure_11_early_reconvergence", "three_splits_in_one_block",
                                           "warp_subdivision_figure_6"),
                         [](const auto& info) { return std::string(info.param); });

TEST(MechanismPages, show_the_worked_examples_as_the_golden_files_have_them) {
  const std::pair<const char*, const char*> examples[] = {{"pdom", "figure_3_pdom"},
                                                          {"multi-path", "figure_5_multi_path"},
                                                          {"multi-path", "figure_6_nested"},
                                                          {"multi-path-or", "figure_11_early_reconvergence"},
                                                          {"multi-path-or", "three_splits_in_one_block"},
                                                          {"warp-subdivision", "warp_subdivision_figure_6"}};
  for (const auto& [page, figure] : examples) {
    const std::string golden = read(std::string("tests/golden/divergence/") + figure + ".golden");
    const std::string expected = golden.substr(golden.find("----\n") + 5);
    EXPECT_NE(read(std::string("docs/mechanisms/") + page + ".md").find(expected), std::string::npos) << figure;
  }
}

TEST(MechanismPages, exist_for_every_mechanism) {
  for (const DivergenceMechanism& mechanism : divergence_mechanisms())
    EXPECT_FALSE(read(fmt::format("docs/mechanisms/{}.md", mechanism.name)).empty()) << mechanism.name;
}

TEST(MechanismMutants, exist_for_every_mechanism) {
  for (const DivergenceMechanism& mechanism : divergence_mechanisms())
    EXPECT_FALSE(read(fmt::format("tests/mutation/{}.toml", mechanism.name)).empty()) << mechanism.name;
}

}  // namespace golden_test
}  // namespace warpfork::golden
