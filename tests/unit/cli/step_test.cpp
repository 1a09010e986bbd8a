// The command `step` on a bare kernel: the page that it writes, and what it says is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "config/text_file.h"
#include "report/result_document.h"
#include "unit/html/page_data.h"
#include "unit/test_folder.h"

namespace warpfork::cli {
namespace step_test {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr const char* kKernels = R"(.version 6.0
.target sm_70
.address_size 64
.visible .entry plain() { .reg .b32 %r<2>; mov.u32 %r1, 7; ret; }
.visible .entry other() { ret; }
.visible .entry fails() {
  .reg .b64 %rd<2>;
  mov.u64 %rd1, 16;
  st.global.u32 [%rd1], 0;
  ret;
}
)";

class StepTest : public ::testing::Test {
 protected:
  StepTest() : page_(test_folder() + "/step.html") {
    std::filesystem::remove(page_);
    std::ofstream(file("stepped.ptx")) << kKernels;
    for (const std::string kernel : {"plain", "fails"})
      std::ofstream(file(kernel + ".toml")) << "kernel = \"" << kernel << "\"\ngrid = 1\nblock = 40\n";
  }

  static std::string file(const std::string& name) { return test_folder() + "/" + name; }

  void step(std::vector<std::string> words, const std::string& launch = "plain") {
    words.insert(words.begin(), {"-o", page_, "--launch", file(launch + ".toml")});
    words.push_back(file("stepped.ptx"));
    CommandLine line;
    Command root = line.root();
    Session session;
    session.words = words;
    add_step(root, session);
    words.insert(words.begin(), "step");
    testing::internal::CaptureStdout();
    try {
      line.run(words);
    } catch (...) {
      testing::internal::GetCapturedStdout();
      throw;
    }
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "The page: " + page_ + "\n");
  }

  /// The data of the page's runs.
  report::Json runs() const {
    return report::Json::parse(html::page_data(config::read_text(page_), "step")).at("runs");
  }

  const std::string page_;
};

TEST_F(StepTest, writes_a_page_of_one_mechanism_or_of_two) {
  step({});
  ASSERT_EQ(runs().size(), 1u);
  EXPECT_EQ(runs().at(0).at("mechanism"), "pdom");
  step({"--divergence", "dual-path,tbc", "--warp", "0.1"});
  ASSERT_EQ(runs().size(), 2u);
  EXPECT_EQ(runs().at(0).at("mechanism"), "dual-path");
  EXPECT_EQ(runs().at(1).at("mechanism"), "tbc");
  EXPECT_EQ(runs().at(1).at("regroups"), true);
}

TEST_F(StepTest, keeps_the_cycles_that_are_asked_for) {
  step({"--cycles", "3-8"});
  EXPECT_EQ(runs().at(0).at("first"), 3);
  EXPECT_EQ(runs().at(0).at("last"), 8);
  EXPECT_THAT(config::read_text(page_), HasSubstr("goes on after cycle 8"));
}

TEST_F(StepTest, tells_which_threads_entered_a_temporal_lane) {
  step({"--lanes", "tsimt"});
  EXPECT_EQ(runs().at(0).at("temporal"), true);
  EXPECT_THAT(html::page_data(config::read_text(page_), "step"), HasSubstr("\"entered\":[["));
}

TEST_F(StepTest, shows_what_came_before_a_failure) {
  EXPECT_THROW(step({}, "fails"), Error);
  EXPECT_EQ(runs().at(0).at("ended"), false);
}

TEST_F(StepTest, names_what_there_is_instead_of_what_there_is_not) {
  const auto refusal = [&](std::vector<std::string> words, const std::string& cause) {
    EXPECT_THAT([&] { step(words); }, ThrowsMessage<Error>(HasSubstr(cause)));
    EXPECT_FALSE(std::filesystem::exists(page_));
  };
  refusal({"--kernel", "plan"}, "there is no kernel 'plan'\n  nearest: plain");
  refusal({"--kernel", "other"}, "kernel 'other' was never launched\n  launched: plain");
  refusal({"--cycles", "90000-90009"}, "--cycles: under pdom the warp ended in cycle ");
  refusal({"--warp", "0.2"}, "no warp 2; a block of kernel 'plain' has 40 threads, 2 warps");
}

TEST_F(StepTest, says_when_a_warp_starts_too_late) {
  std::ofstream(file("many.toml")) << "kernel = \"plain\"\ngrid = 400\nblock = 40\n";  // 15 cores of 8 blocks
  EXPECT_THAT(
      [&] {
        step({"--cycles", "0-5", "--warp", "399.0"}, "many");
      },
      ThrowsMessage<Error>(HasSubstr("--cycles: under pdom the warp starts in cycle ")));
  EXPECT_THAT(
      [&] {
        step({"--max-cycles", "5", "--warp", "399.0"}, "many");
      },
      ThrowsMessage<Error>(HasSubstr("its block had not started when the launch was cut off")));
}

TEST_F(StepTest, takes_no_recording_of_a_cpu) {
  std::ofstream(file("threads.wft")) << "WFT";
  CommandLine line;
  Command root = line.root();
  Session session;
  session.words = {file("threads.wft")};
  add_step(root, session);
  EXPECT_THAT(
      [&] {
        line.run({"step", session.words[0]});
      },
      ThrowsMessage<Error>(HasSubstr("is a recording of CPU threads: warpfork cpu run")));
}

}  // namespace step_test
}  // namespace warpfork::cli
