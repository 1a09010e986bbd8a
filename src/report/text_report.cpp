#include "report/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <sstream>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/wrapped.h"
#include "report/finding_text.h"
#include "report/kernel_name.h"
#include "report/launch_totals.h"
#include "report/line_table.h"
#include "report/record_sum.h"
#include "report/register_note.h"
#include "report/sampling_error.h"
#include "report/shares.h"
#include "report/source_line.h"
#include "report/text_table.h"
#include "report/verdict.h"

namespace warpfork::report {

namespace {

constexpr std::size_t kLaunchRows = 24;  // further launches are counted only
constexpr std::size_t kBranchRows = 5;
constexpr unsigned kSplitShares = 4;

using Sums = const LaunchRecord&;

std::vector<std::string> timed_row(std::string name, const LaunchRecord& launch, std::string occupancy) {
  return {std::move(name),
          grouped(launch.cycles),
          grouped(launch.warp_instructions),
          fmt::format("{:.2f}", launch.ipc()),
          percent(launch.simd_efficiency()),
          grouped(launch.idle_cycles),
          std::move(occupancy)};
}

/// Below the row of launches of which some were sampled.
void add_error_row(TextTable& table, std::span<const LaunchRecord> launches) {
  const SamplingError error(launches);
  if (error.launches() == 0) return;
  table.add({"", error.relative([](Sums sums) { return static_cast<double>(sums.cycles); }), "",
             error.relative([](Sums sums) { return sums.ipc(); }), "",
             error.relative([](Sums sums) { return static_cast<double>(sums.idle_cycles); }),
             error.relative([](Sums sums) { return sums.occupancy.mean_warps(); })});
}

std::vector<std::string> launch_row(std::string name, const LaunchRecord& launch) {
  if (!launch.timed)
    return {std::move(name), "–", grouped(launch.warp_instructions), "–", percent(launch.simd_efficiency()), "–",
            "no timing"};
  return timed_row(std::move(name), launch,
                   fmt::format("{:.1f} of {}", launch.occupancy.mean_warps(), launch.occupancy.max_warps));
}

/// With the number of the launch whose threads launched it, if it was not the host.
std::string name_in_table(std::size_t number, const LaunchRecord& launch, bool with_scopes) {
  const std::string name = readable_kernel_name(launch.name);
  return fmt::format("{}  {}{}{}", number,
                     launch.cut_off.empty() ? "" : "cut off: ", with_scopes ? name : unscoped_name(name),
                     launch.launched_by.empty() ? "" : fmt::format(", by {}", launch.launched_by.launch));
}

TextTable launch_table(std::span<const LaunchRecord> launches, bool with_scopes) {
  TextTable table({"launch", "cycles", "warp instr.", "IPC", "SIMD eff.", "idle cycles", "live warps"});
  for (std::size_t i = 0; i < std::min(launches.size(), kLaunchRows); ++i) {
    table.add(launch_row(name_in_table(i + 1, launches[i], with_scopes), launches[i]));
    add_error_row(table, launches.subspan(i, 1));
  }
  if (launches.size() > kLaunchRows)
    table.add({fmt::format("… {} more", launches.size() - kLaunchRows), "", "", "", "", "", ""});
  const LaunchTotals totals = sum_launches(launches);
  if (launches.size() > 1 && totals.launches > 0) {
    table.add(timed_row("total", totals.sums, ""));
    add_error_row(table, launches);
  }
  return table;
}

/// Where names do not fit, what they are in goes first: it stands below, behind the table.
std::string launch_table(std::span<const LaunchRecord> launches) {
  const TextTable whole = launch_table(launches, true);
  return (whole.fits(kTerminalColumns) ? whole : launch_table(launches, false)).text("", kTerminalColumns);
}

struct Part {
  const char* name;
  std::uint64_t count;
  std::string error;  // of its share
};

/// "memory 61.3 %, issued 38.7 % of 1 234 scheduler cycles": the parts that are not 0, largest first; they add up to
/// 100 %.
std::string shares(std::vector<Part> parts, const char* unit) {
  std::ranges::stable_sort(parts, std::greater<>(), &Part::count);
  std::vector<std::uint64_t> counts;
  for (const Part& part : parts) counts.push_back(part.count);
  const std::vector<std::uint64_t> tenths = tenths_of_percent(counts);
  std::string text;
  for (std::size_t i = 0; i < parts.size() && counts[i] != 0; ++i)
    text += fmt::format("{}{} {}.{}{} %", text.empty() ? "" : ", ", parts[i].name, tenths[i] / 10, tenths[i] % 10,
                        parts[i].error);
  const std::uint64_t whole = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  return fmt::format("{} of {} {}", text.empty() ? "none" : text, grouped(whole), unit);
}

std::string scheduler_line(const LaunchRecord& sums, const SamplingError& error) {
  std::vector<Part> parts = {{"issued", sums.warp_instructions, error.of_share([](Sums other) {
                                return ratio(other.warp_instructions, other.scheduler_cycles);
                              })}};
  for (std::size_t i = 0; i < kStallCauses; ++i)
    parts.push_back({kStallCauseKeys[i].name, sums.stalls[i],
                     error.of_share([i](Sums other) { return ratio(other.stalls[i], other.scheduler_cycles); })});
  return fmt::format("  schedulers  {}\n", shares(std::move(parts), "scheduler cycles"));
}

std::string thread_line(const LaunchRecord& sums, const SamplingError& error) {
  std::vector<Part> parts;
  const auto share = [](std::size_t state) {
    return [state](Sums other) {
      const ThreadCycles& cycles = other.thread_cycles;
      return ratio(cycles[state], std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0}));
    };
  };
  for (std::size_t i = 0; i < kThreadStates; ++i)
    parts.push_back({kThreadStateKeys[i].name, sums.thread_cycles[i], error.of_share(share(i))});
  return fmt::format("  threads     {}\n", shares(std::move(parts), "thread-cycles"));
}

/// Nothing where every live thread was in its warp's first split all the time.
std::string split_line(const SplitCount& splits) {
  if (splits.thread_cycles[0] == splits.live_thread_cycles) return "";
  const unsigned most = splits.max();
  const auto shares = splits.schedulable(kMaxWarpSize);
  std::string schedulable;
  for (unsigned rank = 0; rank < std::min(most, kSplitShares); ++rank)
    schedulable += fmt::format("{} with {}, ", percent(shares[rank]), rank + 1);
  if (most > kSplitShares) schedulable += fmt::format("{} with all, ", percent(shares.back()));
  schedulable.resize(schedulable.size() - 2);
  return fmt::format("  splits      {:.2f} per warp, {} at most; schedulable threads: {}\n", splits.mean(), most,
                     schedulable);
}

/// Nothing under a mechanism without such tables.
std::string table_line(const TableCount& tables) {
  if (tables.split_entries == 0) return "";
  std::string text = fmt::format("  tables      most entries in use by a warp: split {}, reconvergence {}",
                                 tables.split_entries, tables.reconvergence_entries);
  if (tables.spills != 0)
    text += fmt::format("; {} spilled, {} brought back, {} bytes", grouped(tables.spills), grouped(tables.fills),
                        grouped(tables.bytes));
  return text + '\n';
}

/// Nothing of lanes side by side that take every warp as long.
std::string lane_line(const LaneCount& lanes) {
  if (lanes.empty()) return "";
  const std::string efficiency = percent(lanes.effective_simd_efficiency());
  if (lanes.lanes == 0) return fmt::format("  lanes       effective SIMD efficiency {}\n", efficiency);
  return fmt::format(
      "  lanes       {} of {} threads; {:.2f} held {:.2f} warps, {:.2f} had one that could go on; effective SIMD "
      "efficiency {}\n"
      "  conflicts   of lanes for issue: 1 waited in {} of the core cycles, 2 in {}, more in {}\n",
      lanes.lanes, lanes.width, lanes.mean_holding(), lanes.mean_warps(), lanes.mean_available(), efficiency,
      percent(lanes.conflicts[0], lanes.core_cycles), percent(lanes.conflicts[1], lanes.core_cycles),
      percent(lanes.conflicts[2], lanes.core_cycles));
}

/// Nothing where no rule makes scalars.
std::string scalar_line(const LaunchRecord& sums) {
  if (sums.scalars.empty()) return "";
  return fmt::format("  scalars     {} of {} warp instructions ({}) were one for the warp\n",
                     grouped(sums.scalars.warp_instructions), grouped(sums.warp_instructions),
                     percent(sums.scalars.warp_instructions, sums.warp_instructions));
}

/// `of_divergence`: its locality is one that divergence changes; misses per thousand thread instructions then too.
void add_cache(std::string& text, const char* name, CacheCount CacheCounts::*key, const LaunchRecord& sums,
               bool of_divergence, const SamplingError& error) {
  const CacheCount& cache = sums.memory.caches.*key;
  if (cache.accesses == 0) return;
  const auto accesses = [key](Sums other) { return static_cast<double>((other.memory.caches.*key).accesses); };
  const auto missed = [key](Sums other) {
    const CacheCount& of_other = other.memory.caches.*key;
    return ratio(of_other.misses, of_other.accesses);
  };
  text += fmt::format("{}{} {}{} accesses, {}{} missed", text.empty() ? "" : "; ", name, grouped(cache.accesses),
                      error.relative(accesses), percent(cache.misses, cache.accesses), error.of_share(missed));
  if (of_divergence && sums.thread_instructions != 0)
    text += fmt::format(" ({:.2f} MPKI)",
                        static_cast<double>(cache.misses) * 1000 / static_cast<double>(sums.thread_instructions));
}

std::string memory_lines(const LaunchRecord& sums, const SamplingError& error) {
  std::string of_caches;
  add_cache(of_caches, "l1d", &CacheCounts::l1d, sums, true, error);
  add_cache(of_caches, "l1i", &CacheCounts::l1i, sums, true, error);
  add_cache(of_caches, "constant", &CacheCounts::constant, sums, false, error);
  add_cache(of_caches, "texture", &CacheCounts::texture, sums, false, error);
  add_cache(of_caches, "l2", &CacheCounts::l2, sums, false, error);
  const DramCount& dram = sums.memory.dram;
  const auto count = [&](std::uint64_t DramCount::*key) {
    return grouped(dram.*key) +
           error.relative([key](Sums other) { return static_cast<double>(other.memory.dram.*key); });
  };
  std::string text;
  if (!of_caches.empty()) text += fmt::format("  caches      {}\n", of_caches);
  if (dram.reads + dram.writes > 0)
    text += fmt::format("  dram        {} reads, {} writes, {}{} row hits\n", count(&DramCount::reads),
                        count(&DramCount::writes), percent(dram.row_hits, dram.reads + dram.writes),
                        error.of_share([](Sums other) {
                          return ratio(other.memory.dram.row_hits, other.memory.dram.reads + other.memory.dram.writes);
                        }));
  return text;
}

/// Nothing where no launch was to be sampled.
std::string sample_line(std::span<const LaunchRecord> launches) {
  std::uint64_t detailed = 0, blocks = 0, batches = 0;
  bool may_wait = false;
  for (const LaunchRecord& launch : launches) {
    if (launch.sample.empty()) continue;
    detailed += launch.sample.detailed_blocks;
    blocks += launch.grid.count();
    batches += launch.sample.batches;
    may_wait |= launch.sample.whole_because == "blocks_may_wait";
  }
  if (blocks == 0) return "";
  if (batches == 0)
    return fmt::format("  sampled     nothing: {}\n",
                       may_wait ? "its blocks may wait for one another" : "too few blocks");
  return fmt::format("  sampled     {} of {} in detail, {}; ±: 95 % confidence\n", grouped(detailed),
                     grouped(blocks, "block"), counted(batches, "batch"));
}

/// "; compacted 8 warps into 6, waited in vain 2 of 3 times (40 cycles), 3 did not wait (1 wrongly)"
std::string compaction_text(const CompactionCount& sum) {
  if (sum.empty()) return "";
  const std::uint64_t vain = sum.wrong + sum.undivided;
  std::string text = fmt::format("; compacted {} into {}, waited in vain {} of {} ({})",
                                 grouped(sum.warps_before, "warp"), grouped(sum.warps_after), grouped(vain),
                                 grouped(vain + sum.right, "time"), grouped(sum.cycles_waited_for_nothing, "cycle"));
  if (sum.bypassed > 0)
    text += fmt::format(", {} did not wait ({} wrongly)", grouped(sum.bypassed), grouped(sum.bypassed_wrong));
  return text;
}

std::vector<BranchCount> costliest_branches(std::span<const LaunchRecord> launches) {
  std::map<Pc, BranchCount> by_pc;
  for (const LaunchRecord& launch : launches)
    for (const BranchCount& branch : launch.branches) {
      BranchCount& sum = by_pc[branch.pc];
      sum.pc = branch.pc;
      sum.ptx_line = branch.ptx_line;
      sum.source = branch.source;
      add(sum, branch);
    }
  std::vector<BranchCount> sums;
  for (auto& [pc, sum] : by_pc)
    if (sum.divergent > 0) sums.push_back(std::move(sum));
  std::ranges::stable_sort(sums, std::greater<>(), &BranchCount::lost_lane_slots);
  if (sums.size() > kBranchRows) sums.resize(kBranchRows);
  return sums;
}

std::string branch_lines(std::span<const LaunchRecord> launches) {
  std::string text;
  const char* heading = "  branches    ";
  for (const BranchCount& branch : costliest_branches(launches)) {
    text += fmt::format("{}{} (pc {}): {} of {} diverged, {:.1f} splits, {} lost{}\n", heading,
                        place_text(branch.source, branch.ptx_line), branch.pc, grouped(branch.divergent),
                        grouped(branch.executions), branch.mean_splits(), grouped(branch.lost_lane_slots, "lane-slot"),
                        compaction_text(branch.compaction));
    heading = "              ";
  }
  return text;
}

/// Each line of two columns within those of a terminal.
std::string within_terminal(const std::string& lines) {
  static const std::string kIndent(16, ' ');
  std::string text;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) text += wrapped(line.substr(14), line.substr(0, 14), kIndent);
  return text;
}

std::string kernel_text(const std::string& name, std::span<const LaunchRecord> launches) {
  const LaunchRecord sums = sum_launches(launches).sums;
  const SamplingError error(launches);
  const std::string shown = readable_kernel_name(name);
  return (launches.size() == 1 ? fmt::format("\n{}\n", shown)
                               : fmt::format("\n{} ({} launches)\n", shown, launches.size())) +
         within_terminal(sample_line(launches) + scheduler_line(sums, error) + thread_line(sums, error) +
                         split_line(sums.splits) + table_line(sums.tables) + lane_line(sums.lanes) + scalar_line(sums) +
                         memory_lines(sums, error) + register_note(launches) + branch_lines(launches)) +
         line_table(launches);
}

}  // namespace

std::string where_ptx_lines_are(const std::string& program, bool has_source_lines) {
  return fmt::format("PTX lines: warpfork inspect {} --ptx prints them.{}", program,
                     has_source_lines ? ""
                                      : " Built by warpfork cc, or with\n"
                                        "    nvcc -lineinfo, a program shows its own lines, too.");
}

std::string where_loaded_ptx_lines_are(const std::string& program) {
  return fmt::format(
      "PTX lines: of code that {} loads. warpfork run --save-launch N -o FILE.wfl keeps\n"
      "    launch N with its PTX, and warpfork inspect FILE.wfl --ptx prints that.",
      program);
}

bool names_ptx_lines(std::span<const LaunchRecord> launches) {
  return std::ranges::any_of(launches, [](const LaunchRecord& launch) {
    return std::ranges::any_of(launch.branches,
                               [](const BranchCount& branch) { return branch.divergent > 0 && branch.source.empty(); });
  });
}

std::string text_report(std::span<const LaunchRecord> launches) {
  if (launches.empty()) return "no kernel was launched\n";
  std::vector<std::string> order;
  std::map<std::string, std::vector<LaunchRecord>> kernels;
  for (const LaunchRecord& launch : launches) {
    if (!launch.timed) continue;
    if (!kernels.contains(launch.name)) order.push_back(launch.name);
    kernels[launch.name].push_back(launch);
  }
  std::string text = launch_table(launches);
  for (const std::string& name : order) text += kernel_text(name, kernels[name]);
  if (const std::string why = verdict(launches); !why.empty()) text += "\n" + why;
  if (const std::string found = finding_text(launches); !found.empty()) text += "\n" + found;
  return text;
}

}  // namespace warpfork::report
