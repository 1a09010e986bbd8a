// `run --trace`: the file that it leaves, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "config/text_file.h"
#include "unit/cli/invocation.h"

namespace warpfork::cli {
namespace trace_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;
using Json = nlohmann::json;

Printed run_with(const std::string& options, const std::string& kernel = "") {
  return invoke("run " + options + " " + (kernel.empty() ? number_kernel() : kernel) + " --launch " + number_launch());
}

std::string drawn_file(const std::string& name) { return test_folder() + "/" + name; }

std::string unpacked(const std::string& file) {
  std::string text(1 << 20, '\0');
  gzFile from = gzopen(file.c_str(), "rb");
  text.resize(static_cast<std::size_t>(gzread(from, text.data(), static_cast<unsigned>(text.size()))));
  gzclose(from);
  return text;
}

TEST(RunTrace, leaves_events_and_the_number_of_cycles) {
  const std::string file = drawn_file("trace.json");
  const Printed printed = run_with("--json - --trace " + file);
  EXPECT_THAT(printed.errors, testing::Not(HasSubstr("note")));
  const Json trace = Json::parse(config::read_text(file));
  EXPECT_EQ(trace["otherData"]["cycles"], Json::parse(printed.output)["launches"][0]["cycles"]);
  EXPECT_FALSE(trace["otherData"].contains("cut_off_at"));
  EXPECT_GT(trace["traceEvents"].size(), 10u);
}

TEST(RunTrace, changes_nothing_in_the_result) {
  EXPECT_EQ(run_with("--json - --trace " + drawn_file("trace.json")).output, run_with("--json -").output);
}

TEST(RunTrace, is_compressed_where_the_name_says_so) {
  run_with("--trace " + drawn_file("trace.json") + " --trace-cores 0");
  run_with("--trace " + drawn_file("trace.json.gz") + " --trace-cores 0");
  EXPECT_EQ(unpacked(drawn_file("trace.json.gz")), config::read_text(drawn_file("trace.json")));
  EXPECT_FALSE(std::filesystem::exists(drawn_file("trace.json.gz.json")));
}

TEST(RunTrace, is_kept_when_the_launch_fails_and_dropped_when_there_was_none) {
  const std::string hangs = file_with("hangs.ptx",
                                      ".version 6.0\n.target sm_20\n.address_size 64\n"
                                      ".visible .entry number(.param .u64 out) { A: bra A; ret; }\n");
  const std::string file = drawn_file("failed.json");
  std::filesystem::remove(file);
  EXPECT_THROW(run_with("--trace " + file, "/none.ptx"), Error);
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_THROW(run_with("--trace-cores 0 --trace " + file, hangs), Error);  // a livelock is found all the same
  EXPECT_THAT(config::read_text(file), HasSubstr("ended by"));
}

TEST(RunTrace, says_where_nothing_is_drawn) {
  const std::string file = drawn_file("trace.json");
  EXPECT_THAT(run_with("--trace-cycles 1000000- --trace " + file).errors, HasSubstr("nothing is drawn"));
}

TEST(RunTrace, refuses_what_it_cannot_write) {
  const auto refuses = [](const std::string& options, const std::string& why) {
    EXPECT_THAT([&] { run_with(options); }, ThrowsMessage<Error>(HasSubstr(why)));
  };
  refuses("--trace -", "needs a file");
  refuses("--trace a.json.zst", "let the name end in .json or .json.gz");
  refuses("--trace /none/a.json", "there is no folder");
  refuses("--trace /dev/full", "--trace: /dev/full: cannot be written: No space left on device");
  refuses("--trace-cycles 5-3 --trace a.json", "--trace-cycles '5-3'");
  refuses("--trace-cores 1", "--trace-cores goes with --trace FILE");
  refuses("--trace-cycles 1-2", "--trace-cycles goes with --trace FILE");
  refuses("--functional-only --trace a.json", "--trace needs timing");
}

}  // namespace trace_test
}  // namespace warpfork::cli
