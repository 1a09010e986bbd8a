#include "report/line_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "report/launch_totals.h"
#include "report/line_sums.h"
#include "report/text_table.h"

namespace warpfork::report {

namespace {

constexpr std::size_t kRows = 20;

/// 123456 as "123k": four digits at most, so that a row fits on a terminal.
std::string brief(std::uint64_t count) {
  static constexpr const char* kUnits[] = {"", "k", "M", "G", "T"};
  auto value = static_cast<double>(count);
  unsigned unit = 0;
  for (; value >= 9999.5 && unit + 1 < std::size(kUnits); ++unit) value /= 1000;
  return unit != 0 && value < 99.95 ? fmt::format("{:.1f}{}", value, kUnits[unit])
                                    : fmt::format("{:.0f}{}", value, kUnits[unit]);
}

/// Of the file in the heading the number, of another one it behind "…".
std::string place_cell(const LineSum& line, const std::string& file) {
  if (line.count.source.empty()) return "–";
  return fmt::format("{}{}", line.count.source.file == file ? "" : "…:", line.count.source.line);
}

std::string ptx_cell(const LineSum& line) {
  return line.count.ptx_line == line.last_ptx_line ? fmt::format("{}", line.count.ptx_line)
                                                   : fmt::format("{}…{}", line.count.ptx_line, line.last_ptx_line);
}

std::string stall_cell(const LineSum& line, std::uint64_t scheduler_cycles) {
  const auto most = std::ranges::max_element(line.count.stalls);
  if (*most == 0) return "–";
  const auto cause = static_cast<std::size_t>(most - line.count.stalls.begin());
  return fmt::format("{} {:.1f}", kStallCauseKeys[cause].name, 100 * ratio(*most, scheduler_cycles));
}

std::string mean(double value, std::uint64_t of) { return of == 0 ? "–" : fmt::format("{:.1f}", value); }

}  // namespace

std::string line_table(std::span<const LaunchRecord> launches) {
  std::vector<LineSum> lines = sum_lines(launches);
  if (lines.empty()) return "";
  const LaunchRecord all = sum_launches(launches).sums;
  std::ranges::stable_sort(lines, std::greater<>(), &LineSum::cycles);
  const std::string file = lines.front().count.source.file;
  TextTable table({"line", "PTX", "time", "issues", "stalled by, %", "lost", "trans.", "rounds", "miss"});
  for (std::size_t i = 0; i < std::min(lines.size(), kRows); ++i) {
    const LineCount& count = lines[i].count;
    table.add({place_cell(lines[i], file), ptx_cell(lines[i]), percent(lines[i].cycles(), all.scheduler_cycles),
               brief(count.issues), stall_cell(lines[i], all.scheduler_cycles),
               percent(count.lost_lane_slots, all.lane_slots), mean(count.transactions_per_request(), count.requests),
               mean(count.rounds_per_request(), count.shared_requests), brief(count.misses)});
  }
  std::string text = (file.empty() ? "" : file + '\n') + table.text();
  if (lines.size() > kRows) text += fmt::format("… {} more in --json\n", lines.size() - kRows);
  return text;
}

}  // namespace warpfork::report
