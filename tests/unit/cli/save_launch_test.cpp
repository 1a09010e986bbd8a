// `run --save-launch`, and what the commands do with the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "unit/cli/invocation.h"

namespace warpfork::cli {
namespace save_launch_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Json = nlohmann::json;

class SaveLaunch : public ::testing::Test {
 protected:
  SaveLaunch() { std::filesystem::remove(file_); }

  Printed save(const std::string& options = "") {
    return invoke("run --json - --save-launch 1 -o " + file_ + " " + options + " " + number_kernel() + " --launch " +
                  number_launch());
  }

  const std::string file_ = test_folder() + "/number.wfl";
};

TEST_F(SaveLaunch, runs_alone_as_it_ran_before) {
  const Json before = Json::parse(save().output), alone = Json::parse(invoke("run --json - " + file_).output);
  EXPECT_EQ(before["launches"][0]["warp_instructions"], 7);  // as in run_test.cpp
  EXPECT_EQ(alone["launches"], before["launches"]);
  EXPECT_EQ(alone["program"], Json::parse(R"({"kind": "ptx", "name": "number.wfl", "expectations": [],
                                             "saved_from": {"program": "number.ptx", "launch": 1}})"));
}

TEST_F(SaveLaunch, is_the_same_whether_the_run_that_saves_is_timed_or_not) {
  const Json before = Json::parse(save().output);
  save("--functional-only");
  EXPECT_EQ(Json::parse(invoke("run --json - " + file_).output)["launches"], before["launches"]);
}

TEST_F(SaveLaunch, runs_under_other_machines_and_commands) {
  save();
  EXPECT_EQ(invoke("run --machine tesla30 --divergence multi-path " + file_).status, 0);
  EXPECT_THAT(invoke("compare --divergence pdom,dual-path --lanes simt " + file_).output,
              AllOf(HasSubstr("pdom"), HasSubstr("dual-path")));
  EXPECT_THAT(invoke("explain --divergence pdom " + file_).output, HasSubstr("number"));
}

TEST_F(SaveLaunch, needs_a_program_that_comes_so_far) {
  EXPECT_THAT(
      [&] { invoke("run --save-launch 2 -o " + file_ + " " + number_kernel() + " --launch " + number_launch()); },
      ThrowsMessage<Error>(HasSubstr("--save-launch 2: the program made 1 launch; none is saved")));
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(SaveLaunch, is_there_even_if_the_launch_fails) {
  const std::string out = number_launch();
  std::filesystem::resize_file(out, std::filesystem::file_size(out) - std::string("bytes = 16\nzeros = true\n").size());
  std::ofstream(out, std::ios::app) << "bytes = 8\nzeros = true\n";
  EXPECT_THROW(invoke("run --save-launch 1 -o " + file_ + " " + number_kernel() + " --launch " + out), Error);
  EXPECT_TRUE(std::filesystem::exists(file_));
  EXPECT_THROW(invoke("run " + file_), Error);
}

TEST_F(SaveLaunch, refuses_options_that_do_not_go_together) {
  const auto run = [](const std::string& options) { return [=] { invoke("run " + options); }; };
  EXPECT_THAT(run("--save-launch 1 ./p"), ThrowsMessage<Error>(HasSubstr("give the file, too: -o FILE.wfl")));
  EXPECT_THAT(run("-o f.wfl ./p"), ThrowsMessage<Error>(HasSubstr("give both")));
  EXPECT_THAT(run("--save-launch 1 -o f.bin ./p"), ThrowsMessage<Error>(HasSubstr("let it end in .wfl")));
  EXPECT_THAT(run("--memcheck f.wfl"), ThrowsMessage<Error>(HasSubstr("does not say which of its memory was written")));
  EXPECT_THAT(run("--launch l.toml f.wfl"), ThrowsMessage<Error>(HasSubstr("--launch goes with a bare kernel")));
  EXPECT_THAT(run("f.wfl extra"), ThrowsMessage<UsageError>(HasSubstr("takes no arguments: extra")));
}

TEST_F(SaveLaunch, a_file_that_is_none_is_refused_by_name) {
  const std::string none = file_with("none.wfl", "nothing");
  EXPECT_THAT([&] { invoke("run " + none); }, ThrowsMessage<Error>(HasSubstr("none.wfl: is no saved launch")));
}

}  // namespace save_launch_test
}  // namespace warpfork::cli
