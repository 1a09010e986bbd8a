// SIMT-X Figure 3, state by state, and the outcomes of 3.7 that it does not draw.
#include <gtest/gtest.h>

#include "golden/golden_file.h"
#include "paths_scenario.h"

namespace warpfork::ooo {
namespace paths_golden_test {

class PathsGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(PathsGolden, tables_are_as_drawn) {
  golden::check(std::string("tests/golden/ooo/simtx_") + GetParam() + ".golden", run_paths);
}

INSTANTIATE_TEST_SUITE_P(SimtX, PathsGolden,
                         ::testing::Values("figure_3a_predicted_divergent", "figure_3b_divergent",
                                           "figure_3c_mispredicted", "wrong_direction", "younger_lose_lanes"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace paths_golden_test
}  // namespace warpfork::ooo
