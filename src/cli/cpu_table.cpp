#include "cli/cpu_table.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "ooo/cycle_cause.h"
#include "report/ratio.h"
#include "report/text_table.h"

namespace warpfork::cli {

namespace {

using report::Json;

/// Of all cycles of a core's warps.
std::string warp_cycles_table(const std::vector<Json>& results) {
  std::vector<std::string> heads{"cycles of a warp"};
  for (const std::string_view cause : ooo::kCycleCauseNames) heads.emplace_back(cause);
  report::TextTable table(heads);
  for (const Json& result : results) {
    const Json& cycles = result["totals"]["warp_cycles"];
    double all = 0;
    for (const Json& part : cycles) all += part.get<double>();
    std::vector<std::string> row{result["core"].get<std::string>()};
    for (const Json& part : cycles) row.push_back(report::percent(report::ratio(part.get<double>(), all)));
    table.add(row);
  }
  return table.text();
}

}  // namespace

std::string cpu_table(const std::vector<Json>& results) {
  report::TextTable table(
      {"core", "cycles", "speed-up", "IPC", "occupancy", "mispredicted", "divergent", "merges", "energy"});
  const double first = results.front()["totals"]["cycles"].get<double>();
  for (const Json& result : results) {
    const Json& totals = result["totals"];
    const auto number = [&](const char* key) { return totals[key].get<double>(); };
    const double thousands = number("instructions") / 1000, branches = number("branches");
    table.add({result["core"].get<std::string>(), report::grouped(totals["cycles"].get<std::uint64_t>()),
               fmt::format("{:.2f}×", report::ratio(first, number("cycles"))), fmt::format("{:.2f}", number("ipc")),
               fmt::format("{:.2f}", number("occupancy")),
               fmt::format("{:.2f} %", 100 * report::ratio(number("branch_mispredictions"), branches)),
               fmt::format("{:.2f} %", 100 * report::ratio(number("divergent_branches"), branches)),
               fmt::format("{:.1f} /k", report::ratio(number("merges"), thousands)),
               fmt::format("{:.1f} µJ", totals["energy"]["processor"].get<double>() / 1000)});
  }
  std::string text = table.text() + "\n" + warp_cycles_table(results);
  if (const auto limit = results.front()["recording"]["limit"].get<std::uint64_t>(); limit != 0)
    text +=
        fmt::format("\nRecorded: of each thread the first {} instructions alone (--limit).\n", report::grouped(limit));
  if (const auto spinning = results.front()["recording"]["spinning"].get<std::uint64_t>(); spinning != 0)
    text += fmt::format("\nLeft out: {} instructions of threads that only waited for another.\n",
                        report::grouped(spinning));
  return text;
}

}  // namespace warpfork::cli
