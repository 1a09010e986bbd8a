#include "experiment/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/experiment/sample.h"

namespace warpfork::experiment {
namespace page_test {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string renewed(const std::string& page) {
  config::ExperimentPlan plan = sample_plan();
  plan.figures = {speed_up_figure()};
  config::Claim faster;
  faster.text = "A gains";
  faster.paper = "1.2";
  faster.configuration = "new";
  faster.of = "A";
  faster.at_least = 1;
  plan.figures[0].claims = {faster};
  return with_figures(page, "p.md", plan, sample_totals());
}

// 300 / 200, 100 / 200 and their harmonic mean.
TEST(ExperimentPage, has_the_tables_anew_and_the_rest_as_it_was) {
  const std::string head = "Before.\n<!-- tables of Figure 1 -->\n", tail = "<!-- end of Figure 1 -->\nBehind.\n";
  const std::string page = renewed(head + "| old |\n" + tail);
  EXPECT_EQ(page, head +
                      "| speed-up | old | new |\n| --- | ---: | ---: |\n| A | 1.00 | 1.50 |\n| B | 1.00 | 0.500 |\n"
                      "| harmonic mean | 1.00 | 0.750 |\n\n"
                      "| the paper's statement | paper | here | holds |\n| --- | ---: | ---: | ---: |\n"
                      "| A gains | 1.2 | 1.50 | yes |\n" +
                      tail);
  EXPECT_EQ(renewed(page), page);
}

TEST(ExperimentPage, without_a_place_for_a_figure_is_refused) {
  const auto refuses = [](const std::string& page, const std::string& message) {
    EXPECT_THAT([&] { renewed(page); }, ThrowsMessage<Error>(HasSubstr(message))) << page;
  };
  refuses("Text.\n", "p.md: has no place for a figure");
  refuses("<!-- tables of Figure 1 -->\nText.\n", "p.md: lacks the line <!-- end of Figure 1 -->");
  refuses("<!-- tables of Figure 2 -->\n<!-- end of Figure 2 -->\n", "p.md: there is no figure 'Figure 2'");
}

}  // namespace page_test
}  // namespace warpfork::experiment
