#include "cli/cpu_table.h"

#include <fmt/format.h>

#include <numeric>

#include "report/ratio.h"
#include "report/text_table.h"

namespace warpfork::cli {

namespace {

using simulation::CpuResult;

/// Of all cycles of a core's warps.
std::string warp_cycles_table(const std::vector<CpuResult>& results) {
  std::vector<std::string> heads{"cycles of a warp"};
  for (const CaseKey& cause : ooo::kCycleCauseKeys) heads.emplace_back(cause.name);
  report::TextTable table(heads);
  for (const CpuResult& result : results) {
    const auto& cycles = result.counts.warp_cycles;
    const std::uint64_t all = std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0});
    std::vector<std::string> row{result.core};
    for (const std::uint64_t part : cycles) row.push_back(report::percent(report::ratio(part, all)));
    table.add(row);
  }
  return table.text();
}

}  // namespace

std::string cpu_table(const std::vector<CpuResult>& results) {
  report::TextTable table(
      {"core", "cycles", "speed-up", "IPC", "occupancy", "mispredicted", "divergent", "merges", "energy"});
  for (const CpuResult& result : results) {
    const ooo::CoreCounts& counts = result.counts;
    const ooo::FrontCounts& front = counts.front;
    table.add({result.core, report::grouped(counts.cycles),
               fmt::format("{:.2f}×", report::ratio(results.front().counts.cycles, counts.cycles)),
               fmt::format("{:.2f}", counts.ipc()), fmt::format("{:.2f}", counts.occupancy()),
               fmt::format("{:.2f} %", 100 * report::ratio(front.branch_mispredictions, front.branches)),
               fmt::format("{:.2f} %", 100 * report::ratio(front.divergent_branches, front.branches)),
               fmt::format("{:.1f} /k", report::ratio(counts.merges, front.instructions / 1000.0)),
               fmt::format("{:.1f} µJ", result.energy.processor() / 1000)});
  }
  std::string text = table.text() + "\n" + warp_cycles_table(results);
  if (const std::uint64_t limit = results.front().recording.limit; limit != 0)
    text += fmt::format("\nRecorded: of each thread the first {} alone (--limit).\n",
                        report::grouped(limit, "instruction"));
  if (const std::uint64_t spinning = results.front().spinning; spinning != 0)
    text += fmt::format("\nLeft out: {} of threads that only waited for another.\n",
                        report::grouped(spinning, "instruction"));
  return text;
}

}  // namespace warpfork::cli
