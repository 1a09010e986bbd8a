#include "cli/manual_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpfork::cli {
namespace manual_page_test {

using ::testing::HasSubstr;

CommandHelp program() {
  CommandHelp run{"run", "run a program", "Usage: gpu run [OPTIONS]\n", ".so it is\n", {}, {}};
  run.options = {
      {{"-o", "--out"}, "FILE", "write it here"}, {{"--quiet"}, "", "say nothing"}, {{}, "PROGRAM", "what runs"}};
  return {"gpu", "simulates", "Usage: gpu COMMAND\n", "", {}, {run}};
}

TEST(ManualPage, has_a_section_for_each_command) {
  const std::string page = manual_page(program(), "gpu 1.0");
  EXPECT_TRUE(page.starts_with(".TH gpu 1 \"\" \"gpu 1.0\"\n.SH NAME\ngpu \\- simulates\n"));
  EXPECT_THAT(page, HasSubstr(".SS \"gpu run\"\nrun a program\n.nf\nUsage: gpu run [OPTIONS]\n.fi\n"));
}

TEST(ManualPage, tells_an_options_names_its_value_and_what_it_does) {
  const std::string page = manual_page(program(), "gpu 1.0");
  EXPECT_THAT(page, HasSubstr(".TP\n\\fB\\-o, \\-\\-out\\fR \\fIFILE\\fR\nwrite it here\n"));
  EXPECT_THAT(page, HasSubstr(".TP\n\\fB\\-\\-quiet\\fR\nsay nothing\n"));
  EXPECT_THAT(page, HasSubstr(".TP\n\\fIPROGRAM\\fR\nwhat runs\n"));
}

TEST(ManualPage, takes_no_text_for_a_request_of_troff) {
  EXPECT_THAT(manual_page(program(), "gpu 1.0"), HasSubstr("\n\\&.so it is\n"));
}

}  // namespace manual_page_test
}  // namespace warpfork::cli
