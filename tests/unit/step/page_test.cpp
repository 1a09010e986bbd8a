#include "step/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpfork::step {
namespace page_test {

using report::Json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Json run(const std::string& mechanism) {
  return {{"kernel", "f<int>"}, {"mechanism", mechanism}, {"machine", "gtx480"}, {"regroups", false},
          {"ended", true},      {"cut", false},           {"last", 99}};
}

TEST(StepPage, names_kernel_warp_machine_and_mechanisms) {
  EXPECT_THAT(page({"warp 3", {run("pdom"), run("multi-path")}}),
              AllOf(HasSubstr("<title>f&lt;int&gt;: pdom, multi-path</title>"), HasSubstr("<h1>f&lt;int&gt;</h1>"),
                    HasSubstr("warp 3, on gtx480."), Not(HasSubstr("class=\"warning\""))));
}

TEST(StepPage, says_that_a_warp_goes_on_after_what_was_recorded) {
  Json cut = run("pdom");
  cut["ended"] = false;
  cut["cut"] = true;
  EXPECT_THAT(page({"warp 3", {cut, run("tbc")}}), AllOf(HasSubstr("Under pdom the warp goes on after cycle 99"),
                                                         HasSubstr("--cycles A-B"), Not(HasSubstr("Under tbc"))));
}

TEST(StepPage, says_that_a_launch_ended_before_the_warp) {
  Json lost = run("pdom");
  lost["ended"] = false;
  EXPECT_THAT(page({"warp 3", {lost}}), HasSubstr("Under pdom the warp had not ended when the launch did."));
}

TEST(StepPage, says_where_threads_move_between_warps) {
  Json moved = run("tbc");
  moved["regroups"] = true;
  EXPECT_THAT(page({"warp 3", {run("pdom"), moved}}), HasSubstr("Under tbc threads move between warps"));
}

}  // namespace page_test
}  // namespace warpfork::step
