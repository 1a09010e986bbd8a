// The worked figures of CAPRI.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <utility>

#include "block_scenario.h"
#include "golden/golden_file.h"

namespace warpfork::golden {
namespace block_golden_test {

std::string path_of(const std::string& name) { return "tests/golden/divergence/" + name + ".golden"; }

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class BlockGolden : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(BlockGolden, frames_are_those_of_the_paper) {
  check(path_of(GetParam().second), [](const std::string& input) { return BlockScenario().run(input); });
}

TEST_P(BlockGolden, is_on_the_page_of_the_mechanism) {
  const auto [page, figure] = GetParam();
  const std::string golden = read(path_of(figure));
  EXPECT_NE(read(std::string("docs/mechanisms/") + page + ".md").find(golden.substr(golden.find("----\n") + 5)),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Figure, BlockGolden,
                         ::testing::Values(std::pair{"tbc", "capri_figure_3_tbc"},
                                           std::pair{"capri", "capri_figure_6"}),
                         [](const auto& info) { return std::string(info.param.second); });

}  // namespace block_golden_test
}  // namespace warpfork::golden
