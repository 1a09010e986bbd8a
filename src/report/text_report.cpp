#include "report/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "report/kernel_name.h"
#include "report/register_note.h"
#include "report/text_table.h"

namespace warpfork::report {

namespace {

constexpr std::size_t kLaunchRows = 24;  // further launches are counted only
constexpr std::size_t kBranchRows = 5;
constexpr std::size_t kSplitShares = 4;

std::uint64_t count(const Json& value) { return value.get<std::uint64_t>(); }

std::string share(std::uint64_t part, std::uint64_t whole) {
  return percent(whole ? static_cast<double>(part) / static_cast<double>(whole) : 0);
}

std::vector<std::string> timed_row(std::string name, const Json& launch, std::string occupancy) {
  return {std::move(name),
          grouped(count(launch["cycles"])),
          grouped(count(launch["warp_instructions"])),
          fmt::format("{:.2f}", launch["ipc"].get<double>()),
          percent(launch["simd_efficiency"].get<double>()),
          grouped(count(launch["idle_cycles"])),
          std::move(occupancy)};
}

std::vector<std::string> launch_row(std::string name, const Json& launch) {
  if (launch["mode"] != "timing")
    return {std::move(name),
            "–",
            grouped(count(launch["warp_instructions"])),
            "–",
            percent(launch["simd_efficiency"].get<double>()),
            "–",
            "no timing"};
  const Json& occupancy = launch["occupancy"];
  return timed_row(
      std::move(name), launch,
      fmt::format("{:.1f} of {} warps", occupancy["mean_warps"].get<double>(), count(occupancy["max_warps"])));
}

std::string launch_table(const Json& document) {
  TextTable table({"launch", "cycles", "warp instr.", "IPC", "SIMD efficiency", "idle cycles", "occupancy"});
  const Json& launches = document["launches"];
  for (std::size_t i = 0; i < std::min(launches.size(), kLaunchRows); ++i)
    table.add(launch_row(fmt::format("{}  {}{}", i + 1, readable_kernel_name(launches[i]["name"]),
                                     launches[i].contains("cut_off") ? " (cut off)" : ""),
                         launches[i]));
  if (launches.size() > kLaunchRows)
    table.add({fmt::format("… {} more", launches.size() - kLaunchRows), "", "", "", "", "", ""});
  if (launches.size() > 1 && document["totals"]["launches"] > 0) table.add(timed_row("total", document["totals"], ""));
  return table.text();
}

/// The counts of an object that are not 0 as shares of the whole, largest first.
std::string shares(const Json& counts, std::uint64_t whole) {
  std::vector<std::pair<std::uint64_t, std::string>> parts;
  for (const auto& [name, part] : counts.items())
    if (count(part) > 0) parts.emplace_back(count(part), name);
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [part, name] : parts) text += fmt::format("{} {}, ", name, share(part, whole));
  if (text.empty()) text = "none, ";
  text.resize(text.size() - 2);
  return text;
}

std::string stall_line(const Json& sums) {
  const std::uint64_t whole = count(sums["scheduler_cycles"]);
  return fmt::format("  no issue    {} of {} scheduler cycles\n", shares(sums["stalls"], whole), grouped(whole));
}

std::string thread_line(const Json& sums) {
  std::uint64_t whole = 0;
  for (const Json& cycles : sums["thread_states"]) whole += count(cycles);
  return fmt::format("  threads     {} of {} thread-cycles\n", shares(sums["thread_states"], whole), grouped(whole));
}

/// Nothing where every live thread was in its warp's first split all the time.
std::string split_line(const Json& sums) {
  const Json& splits = sums["splits"];
  const std::size_t most = splits["max"].get<std::size_t>();
  if (splits["thread_cycles"][0] == splits["live_thread_cycles"]) return "";
  std::string schedulable;
  for (std::size_t rank = 0; rank < std::min(most, kSplitShares); ++rank)
    schedulable += fmt::format("{} with {}, ", percent(splits["schedulable"][rank].get<double>()), rank + 1);
  if (most > kSplitShares) schedulable += fmt::format("{} with all, ", percent(splits["schedulable"].back()));
  schedulable.resize(schedulable.size() - 2);
  return fmt::format("  splits      {:.2f} per warp, {} at most; schedulable threads: {}\n",
                     splits["mean"].get<double>(), most, schedulable);
}

/// Nothing under a mechanism without such tables.
std::string table_line(const Json& sums) {
  const Json& tables = sums["tables"];
  if (count(tables["split_entries"]) == 0) return "";
  std::string text = fmt::format("  tables      most entries in use by a warp: split {}, reconvergence {}",
                                 count(tables["split_entries"]), count(tables["reconvergence_entries"]));
  if (count(tables["spills"]) != 0)
    text += fmt::format("; {} spilled, {} brought back, {} bytes", grouped(count(tables["spills"])),
                        grouped(count(tables["fills"])), grouped(count(tables["bytes"])));
  return text + '\n';
}

/// Nothing of lanes side by side.
std::string lane_line(const Json& sums) {
  if (!sums.contains("lanes")) return "";
  const Json& lanes = sums["lanes"];
  const Json& conflicts = lanes["issue_conflicts"];
  const std::uint64_t cycles = count(lanes["core_cycles"]);
  return fmt::format(
      "  lanes       {} of {} threads; {:.2f} held warps, {:.2f} had one that could go on; effective SIMD efficiency "
      "{}\n"
      "  conflicts   of lanes for issue: 1 waited in {} of the core cycles, 2 in {}, more in {}\n",
      count(lanes["lanes"]), count(lanes["width"]), lanes["mean_holding"].get<double>(),
      lanes["mean_available"].get<double>(), percent(lanes["effective_simd_efficiency"].get<double>()),
      share(count(conflicts["one"]), cycles), share(count(conflicts["two"]), cycles),
      share(count(conflicts["three_or_more"]), cycles));
}

/// Misses per thousand thread instructions, of the caches whose locality divergence changes.
std::string per_thousand(const std::string& cache, const Json& sums) {
  const double instructions = sums["thread_instructions"].get<double>();
  if ((cache != "l1d" && cache != "l1i") || instructions == 0) return "";
  return fmt::format(" ({:.2f} MPKI)", sums["caches"][cache]["misses"].get<double>() * 1000 / instructions);
}

std::string memory_lines(const Json& sums) {
  std::string caches;
  for (const auto& [name, cache] : sums["caches"].items())
    if (const std::uint64_t accesses = count(cache["accesses"]); accesses > 0)
      caches += fmt::format("{}{} {} accesses, {} missed{}", caches.empty() ? "" : "; ", name, grouped(accesses),
                            share(count(cache["misses"]), accesses), per_thousand(name, sums));
  const Json& dram = sums["dram"];
  const std::uint64_t reads = count(dram["reads"]), writes = count(dram["writes"]);
  std::string text;
  if (!caches.empty()) text += fmt::format("  caches      {}\n", caches);
  if (reads + writes > 0)
    text += fmt::format("  dram        {} reads, {} writes, {} row hits\n", grouped(reads), grouped(writes),
                        share(count(dram["row_hits"]), reads + writes));
  return text;
}

struct BranchSum {
  std::string place;
  std::uint64_t pc = 0, executions = 0, divergent = 0, lost = 0;
  double splits = 0;  // summed over executions
  Json compaction;    // sums, or null
};

/// "; compacted 8 warps into 6, waited in vain 2 of 3 times (40 cycles), 3 did not wait (1 wrongly)"
std::string compaction_text(const Json& sum) {
  if (sum.is_null()) return "";
  const std::uint64_t vain = count(sum["wrong"]) + count(sum["undivided"]);
  std::string text = fmt::format("; compacted {} warps into {}, waited in vain {} of {} times ({} cycles)",
                                 grouped(count(sum["warps_before"])), grouped(count(sum["warps_after"])), grouped(vain),
                                 grouped(vain + count(sum["right"])), grouped(count(sum["cycles_waited_for_nothing"])));
  if (count(sum["bypassed"]) > 0)
    text += fmt::format(", {} did not wait ({} wrongly)", grouped(count(sum["bypassed"])),
                        grouped(count(sum["bypassed_wrong"])));
  return text;
}

std::vector<BranchSum> costliest_branches(const Json& launches) {
  std::map<std::uint64_t, BranchSum> by_pc;
  for (const Json& launch : launches)
    for (const Json& branch : launch["branches"]) {
      BranchSum& sum = by_pc[count(branch["pc"])];
      const Json& source = branch["source"];
      sum.place = source.is_null() ? fmt::format("PTX line {}", count(branch["ptx_line"]))
                                   : fmt::format("{}:{}", source["file"].get<std::string>(), count(source["line"]));
      sum.pc = count(branch["pc"]);
      sum.executions += count(branch["executions"]);
      sum.divergent += count(branch["divergent"]);
      sum.lost += count(branch["lost_lane_slots"]);
      sum.splits += branch["mean_splits"].get<double>() * count(branch["executions"]);
      if (branch.contains("compaction")) add_counts(sum.compaction, branch["compaction"]);
    }
  std::vector<BranchSum> sums;
  for (auto& [pc, sum] : by_pc)
    if (sum.divergent > 0) sums.push_back(std::move(sum));
  std::stable_sort(sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.lost > b.lost; });
  if (sums.size() > kBranchRows) sums.resize(kBranchRows);
  return sums;
}

std::string branch_lines(const Json& launches) {
  std::string text;
  const char* heading = "  branches    ";
  for (const BranchSum& branch : costliest_branches(launches)) {
    text += fmt::format("{}{} (pc {}): {} of {} diverged, {:.1f} splits, {} lane-slots lost{}\n", heading, branch.place,
                        branch.pc, grouped(branch.divergent), grouped(branch.executions),
                        branch.splits / static_cast<double>(branch.executions), grouped(branch.lost),
                        compaction_text(branch.compaction));
    heading = "              ";
  }
  return text;
}

bool names_ptx_lines(const Json& document) {
  for (const Json& launch : document["launches"])
    if (launch.contains("branches"))
      for (const Json& branch : launch["branches"])
        if (branch["divergent"] > 0 && branch["source"].is_null()) return true;
  return false;
}

}  // namespace

std::string where_ptx_lines_are(const std::string& program) {
  return fmt::format(
      "PTX lines: warpfork inspect {} --ptx prints them. Built with nvcc -lineinfo, a program shows its own lines.",
      program);
}

std::string text_report(const Json& document) {
  std::string text = launch_table(document);
  std::vector<std::string> order;
  std::map<std::string, Json> kernels;
  for (const Json& launch : document["launches"]) {
    if (launch["mode"] != "timing") continue;
    const std::string name = launch["name"];
    if (!kernels.contains(name)) order.push_back(name);
    kernels[name].push_back(launch);
  }
  for (const std::string& name : order) {
    const Json& launches = kernels[name];
    const Json sums = sum_launches(launches);
    const std::string shown = readable_kernel_name(name);
    text += launches.size() == 1 ? fmt::format("\n{}\n", shown)
                                 : fmt::format("\n{} ({} launches)\n", shown, launches.size());
    text += stall_line(sums) + thread_line(sums) + split_line(sums) + table_line(sums) + lane_line(sums) +
            memory_lines(sums) + register_note(launches) + branch_lines(launches);
  }
  const Json& program = document["program"];
  if (program["kind"] == "cuda" && names_ptx_lines(document))
    text += fmt::format("\n{}\n", where_ptx_lines_are(program["name"]));
  return text;
}

}  // namespace warpfork::report
