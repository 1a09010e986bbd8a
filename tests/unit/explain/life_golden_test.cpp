// A warp's life as it is printed, on the worked figures of MULTIPATH and CAPRI.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "golden/golden_file.h"
#include "led_warp.h"

namespace warpfork::explain {
namespace life_golden_test {

class LifeGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(LifeGolden, is_told_with_the_tables_of_the_paper) {
  golden::check(std::string("tests/golden/explain/") + GetParam() + ".golden", lead);
}

INSTANTIATE_TEST_SUITE_P(Figure, LifeGolden,
                         ::testing::Values("multipath_figure_3_pdom", "multipath_figure_5_multi_path",
                                           "multipath_figure_6_nested", "multipath_figure_11_early_reconvergence",
                                           "dual_path_figure_6", "capri_figure_3_tbc", "capri_figure_3_tbc_place_1",
                                           "tbc_waits_for_two", "barrier", "barrier_last", "barrier_opened_by_an_exit",
                                           "barrier_before_the_reconvergence_point", "tbc_last_to_come"),
                         [](const auto& info) { return std::string(info.param); });

TEST(ExplainPage, shows_lives_as_the_golden_files_have_them) {
  const auto read = [](const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  };
  for (const char* figure : {"multipath_figure_5_multi_path", "capri_figure_3_tbc"}) {
    const std::string golden = read(std::string("tests/golden/explain/") + figure + ".golden");
    EXPECT_NE(read("docs/explain.md").find(golden.substr(golden.find("----\n") + 5)), std::string::npos) << figure;
  }
}

}  // namespace life_golden_test
}  // namespace warpfork::explain
