#include "report/finding_text.h"

#include <gtest/gtest.h>

namespace warpfork::report {
namespace finding_text_test {

LaunchRecord checked(std::vector<Finding> list) {
  LaunchRecord launch;
  launch.name = "sum";
  launch.findings = {{"races"}, std::move(list)};
  return launch;
}

TEST(FindingText, is_silent_where_nobody_looked) { EXPECT_EQ(finding_text(std::vector{LaunchRecord()}), ""); }

TEST(FindingText, says_that_nothing_was_found) {
  EXPECT_EQ(finding_text(std::vector{checked({})}), "races\n  none found\n");
  EXPECT_EQ(finding_count(std::vector{checked({})}), 0u);
}

TEST(FindingText, names_both_accesses_with_line_block_and_thread) {
  const AccessPlace write{"write", {0, 0, 0}, {128, 0, 0}, 7, 30, {"race.cu", 6}};
  const AccessPlace read{"read", {0, 0, 0}, {0, 0, 0}, 9, 44, {}};
  const std::vector<LaunchRecord> launches = {checked({{"race", "shared", 0x200, 1280, {}, write, read}})};
  EXPECT_EQ(finding_text(launches),
            "races\n"
            "  1. sum, shared memory at 0x200, 1 280 times\n"
            "     write   race.cu:6                block (0,0,0) thread (128,0,0)\n"
            "     read    PTX line 44              block (0,0,0) thread (0,0,0)\n");
  EXPECT_EQ(finding_count(launches), 1u);
}

TEST(FindingText, has_a_part_for_each_check) {
  LaunchRecord launch = checked({{"race", "global", 0x200, 1, {"out", 64, 16}, {}, {}},
                                 {"uninitialised",
                                  "global",
                                  0xc0000104,
                                  32,
                                  {"cudaMalloc #0", 256, 4},
                                  {},
                                  {"read", {2, 0, 0}, {1, 0, 0}, 9, 44, {"sum.cu", 7}}}});
  launch.findings.checks = {"races", "memory"};
  EXPECT_EQ(finding_text(std::vector{launch}),
            "races\n"
            "  1. sum, global memory at 0x200, once\n"
            "     'out', 64 bytes: byte 16\n"
            "reads of what nobody had written\n"
            "  1. sum, global memory at 0xc0000104, 32 times\n"
            "     read    sum.cu:7                 block (2,0,0) thread (1,0,0)\n"
            "     'cudaMalloc #0', 256 bytes: byte 4\n");
  launch.findings.list.pop_back();
  EXPECT_TRUE(finding_text(std::vector{launch}).ends_with("reads of what nobody had written\n  none found\n"));
}

}  // namespace finding_text_test
}  // namespace warpfork::report
