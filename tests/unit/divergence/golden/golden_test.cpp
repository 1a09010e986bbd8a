// The worked figures of MULTIPATH.
#include <gtest/gtest.h>

#include "golden/golden_file.h"
#include "scenario.h"

namespace warpfork::golden {
namespace {

class DivergenceGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(DivergenceGolden, tables_and_timeline_are_those_of_the_paper) {
  check(std::string("tests/golden/divergence/") + GetParam() + ".golden",
        [](const std::string& input) { return Scenario().run(input); });
}

INSTANTIATE_TEST_SUITE_P(Figure, DivergenceGolden,
                         ::testing::Values("figure_3_pdom", "figure_5_multi_path", "figure_6_nested",
                                           "figure_11_early_reconvergence", "three_splits_in_one_block"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace warpfork::golden
