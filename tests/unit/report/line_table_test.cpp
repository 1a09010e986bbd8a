#include "report/line_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "report/line_sums.h"
#include "unit/report/line_lists.h"

namespace warpfork::report {
namespace line_table_test {

using ::testing::HasSubstr;

/// Characters of the longest line.
std::size_t columns(const std::string& text) {
  std::size_t most = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    most = std::max(most,
                    static_cast<std::size_t>(std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; })));
  return most;
}

TEST(LineSums, are_by_cuda_line_over_launches_and_instructions) {
  LineCount other = scattered_store(2);
  other.ptx_line = 44;
  const std::vector<LaunchRecord> launches = {launch_with_lines({scattered_store(32), other}),
                                              launch_with_lines({scattered_store(32)})};
  const std::vector<LineSum> sums = sum_lines(launches);
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_EQ(sums[0].count.requests, 300u);
  EXPECT_EQ(sums[0].count.transactions, 6600u);
  EXPECT_EQ(sums[0].place(), "t.cu:9");
  EXPECT_EQ(sums[0].count.ptx_line, 40u);
  EXPECT_EQ(sums[0].last_ptx_line, 44u);
}

TEST(LineSums, are_by_ptx_line_where_no_other_is_known) {
  LineCount first = scattered_store(1), second = scattered_store(1);
  first.source = second.source = {};
  second.ptx_line = 41;
  const std::vector<LineSum> sums = sum_lines(std::vector{launch_with_lines({first, second})});
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[1].place(), "PTX line 41");
}

TEST(LineTable, has_the_costliest_line_first) {
  const std::string text =
      line_table(std::vector{launch_with_lines({scattered_store(32), waiting("t.cu", 12, StallCause::Memory, 9999)})});
  EXPECT_EQ(text,
            "t.cu\n"
            "line  PTX    time  issues  stalled by, %   lost  trans.  rounds  miss\n"
            "12     50  50.0 %       1    memory 50.0  0.0 %       –       –     0\n"
            "9      40   0.5 %     100              –  0.0 %    32.0       –     0\n");
}

TEST(LineTable, fits_a_terminal_of_80_columns_whatever_it_counts) {
  LineCount line = scattered_store(32);
  line.source = {"a_very_long_file_name_of_a_kernel.cu", 12345};
  line.issues = line.misses = line.requests = line.transactions = 123456789012;  // 123G
  line.shared_requests = line.conflict_rounds = 10;
  line.lost_lane_slots = 31999;
  line.stalls[static_cast<unsigned>(StallCause::Compaction)] = 20000000000;
  LineCount later = line;
  later.ptx_line = 99999;
  LaunchRecord launch = launch_with_lines({line, later});
  launch.scheduler_cycles = 300000000000;
  EXPECT_LE(columns(line_table(std::vector{launch})), 80u);
}

}  // namespace line_table_test
}  // namespace warpfork::report
