// SIMT-X Figures 1(b), 1(c) and 4, state by state.
#include <gtest/gtest.h>

#include "golden/golden_file.h"
#include "rename_scenario.h"

namespace warpfork::ooo {
namespace rename_golden_test {

class RenameGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(RenameGolden, uops_and_tables_are_as_drawn) {
  golden::check(std::string("tests/golden/ooo/simtx_") + GetParam() + ".golden", run_rename);
}

INSTANTIATE_TEST_SUITE_P(SimtX, RenameGolden, ::testing::Values("figure_1b_rat", "figure_1c_4a_4b", "figure_4c"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace rename_golden_test
}  // namespace warpfork::ooo
