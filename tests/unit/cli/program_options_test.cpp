#include "cli/program_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "unit/test_folder.h"

namespace warpfork::cli {
namespace program_options_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

WorkOptions parse(const std::vector<std::string>& words) {
  CommandLine line;
  Command command = line.root();
  WorkOptions options;
  add_work_options(command, options);
  line.run(words);
  take_program(command, words, options, add_work_options);
  return options;
}

TEST(ProgramOptions, what_follows_the_program_belongs_to_it) {
  const WorkOptions options = parse({"--machine", "m.toml", "./bfs", "--machine", "x", "-n", "5"});
  EXPECT_EQ(options.machine, "m.toml");
  EXPECT_EQ(options.program, "./bfs");
  EXPECT_THAT(options.arguments, ElementsAre("--machine", "x", "-n", "5"));
}

TEST(ProgramOptions, an_option_of_ours_behind_the_program_is_noted) {
  testing::internal::CaptureStderr();
  parse({"./bfs", "-n", "5", "--unknown", "--kernel"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  EXPECT_THAT(parse({"./bfs", "--scheduler=lrr"}).arguments, ElementsAre("--scheduler=lrr"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("note: --scheduler stands behind ./bfs"));
}

TEST(ProgramOptions, a_bare_kernel_may_stand_before_its_options) {
  const WorkOptions options = parse({"--set", "a=1", "k.ptx", "--launch", "l.toml", "--set", "b=2"});
  EXPECT_EQ(options.program, "k.ptx");
  EXPECT_EQ(options.launch, "l.toml");
  EXPECT_THAT(options.overrides, ElementsAre("a=1", "b=2"));
  EXPECT_THAT(options.arguments, IsEmpty());
}

TEST(ProgramOptions, an_unknown_option_is_wrong_usage_on_either_side) {
  EXPECT_THAT(
      [] {
        parse({"--machin", "x", "./bfs"});
      },
      ThrowsMessage<UsageError>(HasSubstr("no option --machin; nearest: --machine")));
  EXPECT_THAT([] { parse({"k.ptx", "--lunch", "l.toml"}); }, ThrowsMessage<UsageError>(HasSubstr("nearest: --launch")));
}

TEST(ProgramOptions, a_file_that_is_no_program_is_refused_with_its_use) {
  const auto refusal = [](const char* words) { return ThrowsMessage<Error>(HasSubstr(words)); };
  EXPECT_THAT([] { parse({"k.cu"}); }, refusal("k.cu: is a source; build it first: warpfork cc k.cu -o program"));
  EXPECT_THAT([] { parse({"l.toml"}); }, refusal("l.toml: is no program; a launch file goes with its kernel"));
  EXPECT_THAT([] { parse({"p.wft"}); },
              refusal("p.wft: is a recording of CPU threads: warpfork cpu run p.wft, or cpu compare"));
}

TEST(ProgramOptions, an_executable_may_have_any_name) {
  const std::string program = test_folder() + "/program.cu";
  std::ofstream(program) << "#!/bin/sh\n";
  EXPECT_THROW(parse({program}), Error);
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  EXPECT_EQ(parse({program}).program, program);
}

TEST(ProgramOptions, a_program_is_needed) { EXPECT_THROW(parse({"--machine", "x"}), UsageError); }

TEST(ProgramOptions, a_word_of_two_dashes_ends_the_options) { EXPECT_EQ(parse({"--", "./bfs"}).program, "./bfs"); }

TEST(ProgramOptions, a_bare_kernel_needs_a_launch_file_and_a_program_takes_none) {
  EXPECT_THAT([] { parse({"k.ptx"}); }, ThrowsMessage<Error>(HasSubstr("needs --launch")));
  EXPECT_THAT([] { parse({"--launch", "l.toml", "./bfs"}); }, ThrowsMessage<Error>(HasSubstr("bare kernel")));
}

TEST(ProgramOptions, a_bad_regular_expression_is_an_error) {
  EXPECT_THAT([] { parse({"--kernels", "(", "./bfs"}); }, ThrowsMessage<Error>(HasSubstr("not a regular expression")));
}

TEST(ProgramOptions, one_misplaced_option_is_noted_and_no_short_one) {
  testing::internal::CaptureStderr();
  parse({"./bfs", "--json", "f", "--machine=m", "-h"});
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::AllOf(HasSubstr("--json stands behind ./bfs"), testing::Not(HasSubstr("--machine"))));
}

TEST(ProgramOptions, values_may_stand_behind_an_equals_sign) {
  const WorkOptions options = parse({"--machine=m.toml", "--max-cycles=7", "./bfs", "a=b"});
  EXPECT_EQ(options.machine, "m.toml");
  EXPECT_EQ(options.max_cycles, 7u);
  EXPECT_THAT(options.arguments, ElementsAre("a=b"));
}

TEST(ProgramOptions, a_programs_own_words_may_look_like_anything) {
  EXPECT_THAT(parse({"./bfs", "--", "k.ptx", "--launch"}).arguments, ElementsAre("--", "k.ptx", "--launch"));
  EXPECT_THAT(parse({"--", "./bfs", "--json"}).arguments, ElementsAre("--json"));
}

TEST(ProgramOptions, a_regular_expression_of_kernels_is_an_extended_one) {
  EXPECT_EQ(parse({"--kernels", "bfs|(nw)+", "./bfs"}).kernels, "bfs|(nw)+");
  EXPECT_THAT([] { parse({"--kernels", "[a", "./bfs"}); }, ThrowsMessage<Error>(HasSubstr("--kernels '[a'")));
}

TEST(ProgramOptions, host_threads_are_a_number_or_as_many_as_processors) {
  const auto threads = [](const std::string& text) {
    CommandLine line;
    Command command = line.root();
    WorkOptions options;
    add_threads_option(command, options);
    line.run({"--threads", text});
    return options.threads;
  };
  EXPECT_EQ(threads("3"), 3u);
  EXPECT_EQ(threads("64"), 64u);
  EXPECT_GE(threads("auto"), 1u);
  for (const char* text : {"0", "65", "2x", "many"}) EXPECT_THROW(threads(text), UsageError) << text;
}

TEST(ProgramOptions, a_sampled_share_is_a_number_or_a_percentage) {
  const auto share = [](const std::string& text) {
    CommandLine line;
    Command command = line.root();
    WorkOptions options;
    add_sample_options(command, options);
    line.run({"--sample", text});
    return options.sample.share;
  };
  EXPECT_EQ(share("0.25"), 0.25);
  EXPECT_EQ(share("25%"), 0.25);
  EXPECT_EQ(share("0.5%"), 0.005);
}

}  // namespace program_options_test
}  // namespace warpfork::cli
