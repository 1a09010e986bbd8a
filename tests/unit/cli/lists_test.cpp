// Commands that list what there is: machines and their keys, mechanisms, cores, the version.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli/key_listing.h"
#include "divergence/registry.h"
#include "gpu/lane_organisation.h"
#include "ooo/cores.h"
#include "unit/base/unwrapped.h"
#include "unit/cli/invocation.h"

namespace warpfork::cli {
namespace lists_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

std::string listing_of(const std::vector<config::Key>& keys) {
  testing::internal::CaptureStdout();
  print_keys(keys);
  return testing::internal::GetCapturedStdout();
}

TEST(KeyListing, aligns_comments_behind_the_widest_pair) {
  EXPECT_EQ(listing_of({{"a", "1", "one"}, {"long.path", "22", "two"}}),
            "a = 1           # one\n"
            "long.path = 22  # two\n");
}

TEST(KeyListing, a_very_long_pair_pushes_its_own_comment_only) {
  const std::string value(60, 'x');
  EXPECT_EQ(listing_of({{"a", "1", "one"}, {"b", value, "two"}}),
            "a = 1" + std::string(43, ' ') + "  # one\nb = " + value + "  # two\n");
}

TEST(KeyListing, prints_nothing_for_no_keys) { EXPECT_EQ(listing_of({}), ""); }

TEST(Lists, machines_are_in_the_order_of_their_names) {
  const std::string listed = unwrapped(invoke("machines").output, std::string(14, ' '));
  EXPECT_THAT(listed, AllOf(StartsWith("gtx480  "), HasSubstr("\ntesla30  ")));
  EXPECT_EQ(std::count(listed.begin(), listed.end(), '\n'), 2);
}

TEST(Lists, a_machines_keys_have_values_and_meanings) {
  EXPECT_THAT(invoke("machines gtx480").output,
              AllOf(HasSubstr("cores = 15"), HasSubstr("core.warp_size = 32"), HasSubstr("  # ")));
}

TEST(Lists, keys_of_a_file_are_those_that_it_changes_too) {
  const std::string file = file_with("small.toml", "name = \"small\"\ncores = 2\n");
  EXPECT_THAT(invoke("machines " + file).output, AllOf(HasSubstr("name = \"small\""), HasSubstr("cores = 2 ")));
}

TEST(Lists, every_mechanism_and_lane_organisation_is_listed_with_its_paper) {
  const std::string listed = unwrapped(invoke("mechanisms").output, std::string(23, ' '));
  for (const DivergenceMechanism& mechanism : divergence_mechanisms())
    EXPECT_THAT(listed, AllOf(HasSubstr(std::string("\n  ") + std::string(mechanism.name) + " "),
                              HasSubstr("[" + std::string(mechanism.paper) + "]")));
  for (const gpu::LaneOrganisation& lanes : gpu::lane_organisations())
    EXPECT_THAT(listed, HasSubstr(std::string("\n  ") + std::string(lanes.name) + " "));
}

TEST(Lists, what_mechanisms_do_stands_in_one_column_behind_the_longest_name) {
  EXPECT_THAT(invoke("mechanisms").output,
              AllOf(HasSubstr("\n  convergence-barrier  one path"), HasSubstr("\n  pdom                 one "),
                    HasSubstr("\n  simt                 lanes ")));
}

TEST(Lists, every_core_and_each_open_choice_is_listed) {
  const std::string listed = invoke("cpu cores").output;
  for (const std::string& name : ooo::core_names()) EXPECT_THAT(listed, HasSubstr(name + " "));
  for (const char* key : {"rename", "disambiguation", "issue_order", "reorder_buffer_sharing", "widths"})
    EXPECT_THAT(listed, HasSubstr(std::string("(--set ") + key + "=NAME)"));
}

// SIMT-X Table I.
TEST(Lists, keys_of_a_core_are_the_papers_unless_a_file_says_otherwise) {
  EXPECT_THAT(invoke("cpu machine").output, HasSubstr("pipeline.reorder_buffer = 192"));
  const std::string file = file_with("core.toml", "[pipeline]\nreorder_buffer = 64\n");
  EXPECT_THAT(invoke("cpu machine " + file).output,
              AllOf(HasSubstr("pipeline.reorder_buffer = 64"), HasSubstr("pipeline.issue_queue = 60")));
}

TEST(Lists, the_version_names_the_commit) {
  EXPECT_THAT(invoke("version").output, MatchesRegex("warpfork [0-9.]+ \\(commit .+\\)\n"));
}

TEST(Lists, the_compilers_help_is_printed_without_compiling) {
  EXPECT_THAT(invoke("cc --help").output, HasSubstr("warpfork cc"));
  EXPECT_EQ(invoke("cc -h").output, invoke("cc --help").output);
}

TEST(Lists, the_manual_has_the_compilers_options_too) {
  EXPECT_THAT(invoke("manual").output, AllOf(HasSubstr("\\-use_fast_math"), HasSubstr("\\-arch=sm_NN")));
}

TEST(Lists, help_is_a_command_too) {
  EXPECT_EQ(invoke("help").output, invoke("--help").output);
  for (const char* command : {"run", "cpu", "cpu run", "cc", "results query"})
    EXPECT_EQ(invoke(fmt::format("help {}", command)).output, invoke(fmt::format("{} --help", command)).output);
  EXPECT_EQ(invoke("help run ./program").output, invoke("run --help").output);
  EXPECT_THAT([] { invoke("help rnu"); }, ThrowsMessage<UsageError>(HasSubstr("did you mean run?")));
  EXPECT_THAT([] { invoke("help cpu rnu"); }, ThrowsMessage<UsageError>(HasSubstr("did you mean run?")));
}

/// `--help` of every command exits before it does anything, and names the command's own options.
class Help : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Help, names_the_options_of_the_command) {
  const Printed printed = invoke(std::string(GetParam().first) + " --help");
  EXPECT_THAT(printed.output, HasSubstr(GetParam().second));
  EXPECT_EQ(printed.status, 0);
}

TEST_P(Help, fits_a_terminal) {
  std::istringstream lines(invoke(std::string(GetParam().first) + " --help").output);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u + 2) << line;  // … has three bytes
}

INSTANTIATE_TEST_SUITE_P(Commands, Help,
                         testing::Values(std::pair{"run", "--host-time FILE"}, std::pair{"compare", "NAME,NAME"},
                                         std::pair{"explain", "--launch-number N"}, std::pair{"step", "--cycles A-B"},
                                         std::pair{"experiment", "--results FOLDER"}, std::pair{"inspect", "--image N"},
                                         std::pair{"machines", "[NAME|FILE.toml]"},
                                         std::pair{"record", "-- PROGRAM [ARGS"}, std::pair{"cpu run", "--konata FILE"},
                                         std::pair{"cpu compare", "--cores NAME,NAME"},
                                         std::pair{"cpu dump", "--symbol NAME"},
                                         std::pair{"cpu machine", "[FILE.toml]"}));

/// … and what a reader may want to know next.
INSTANTIATE_TEST_SUITE_P(Footers, Help,
                         testing::Values(std::pair{"run", "Usage: warpfork run [OPTIONS] PROGRAM [ARGS"},
                                         std::pair{"run", "kernel.ptx --launch launch.toml"},
                                         std::pair{"run", "2 = wrong usage"},
                                         std::pair{"compare", "Speed-ups are against the first mechanism"},
                                         std::pair{"explain", "later ones are executed without timing"},
                                         std::pair{"experiment", "names the page that says why"},
                                         std::pair{"inspect", "lines are lines of what --ptx prints"},
                                         std::pair{"record", "Debian package qemu-user"},
                                         std::pair{"cpu run", "docs/cpu.md explains the cores"},
                                         std::pair{"cpu compare", "Speed-ups are against the first core"},
                                         std::pair{"cpu dump", "only what was executed is listed"},
                                         std::pair{"cpu", "compare"}));

}  // namespace lists_test
}  // namespace warpfork::cli
