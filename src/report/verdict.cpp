#include "report/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "base/wrapped.h"
#include "report/kernel_name.h"
#include "report/launch_totals.h"
#include "report/line_sums.h"
#include "report/record_sum.h"
#include "report/source_line.h"
#include "report/text_table.h"

namespace warpfork::report {

namespace {

constexpr std::size_t kLosses = 3;
constexpr double kLeastShare = 0.01;  // below it a loss is not worth a word

/// Of the program's time. Shares of different losses overlap: who removes one does not gain all of it.
struct Loss {
  double share = 0;
  std::string what, remedy;
};

/// What the shares are taken of.
struct Whole {
  double core_cycles = 0, scheduler_cycles = 0;
};

/// In the order of StallCause.
constexpr const char* kStallWords[kStallCauses] = {"warps were ready, but the unit for this instruction was not",
                                                   "warps waited for what it asks of memory",
                                                   "warps waited for the result of an instruction before",
                                                   "warps waited at a barrier",
                                                   "threads waited to be put together with those of other warps",
                                                   "warps had no decoded instruction",
                                                   "schedulers had no live warp of their own"};
constexpr const char* kStallRemedies[kStallCauses] = {
    "Fewer instructions for that unit, or spread among others.",
    "More warps at a time, loads long before their values are needed, or data that a cache or shared memory holds.",
    "More warps at a time, or instructions in between that do not need the result.",
    "Even out the work before the barrier, or smaller blocks, so that another one runs meanwhile.",
    "Another divergence mechanism, or divergence.predictor.",
    "A shorter kernel: less unrolled, so that it stays in the instruction cache.",
    "More blocks, and of even length."};

const char* noun_of(const LineCount& line) {
  if (line.kind == "atomic") return "atomic";
  return line.kind == "store" ? "store" : "load";
}

/// Why a request needed more transactions than its bytes, and what to do about it.
Loss scattered(const std::string& place, const LineCount& line, const Whole& whole) {
  const double least = ratio(line.transactions - line.excess_transactions, line.requests);
  Loss loss{ratio(line.excess_transactions, whole.core_cycles), "", ""};
  const bool is_local = line.ptx.find(".local") != line.ptx.npos;
  const bool is_constant = line.ptx.find(".const") != line.ptx.npos || line.ptx.find(".param") != line.ptx.npos;
  const char* why = line.kind == "atomic" ? "on the same words" : is_constant ? "not of one place" : "uncoalesced";
  loss.what =
      fmt::format("{}: {:.1f} transactions {} {} where {:.1f} would do: {}", place, line.transactions_per_request(),
                  line.kind == "atomic" ? "an" : "a", noun_of(line), least, why);
  if (line.kind == "atomic")
    loss.remedy = "Combine the values within the warp or block first, in registers or shared memory.";
  else if (is_constant)
    loss.remedy = "Let all threads of a warp read the same constant, or keep the table in shared memory.";
  else if (is_local)
    loss.remedy = "Index the thread's own array alike in all threads, or keep it in registers.";
  else
    loss.remedy = "Let neighbouring threads reach neighbouring addresses, by way of shared memory if need be.";
  return loss;
}

Loss conflicting(const std::string& place, const LineCount& line, const Whole& whole) {
  return {ratio(line.conflict_rounds, whole.core_cycles),
          fmt::format("{}: {:.0f}-way bank conflict: {:.1f} rounds a {} of shared memory", place,
                      line.rounds_per_request(), line.rounds_per_request(), noun_of(line)),
          "Pad the rows by a word, so that the threads of a warp reach different banks."};
}

Loss parted(const std::string& kernel, const BranchCount& branch, unsigned warp_size, const Whole& whole) {
  return {ratio(ratio(branch.lost_lane_slots, warp_size), whole.scheduler_cycles),
          fmt::format("{} ({}): the branch parted {} of {} and lost {}", place_text(branch.source, branch.ptx_line),
                      kernel, grouped(branch.divergent), grouped(branch.executions, "warp"),
                      grouped(branch.lost_lane_slots, "lane-slot")),
          "Sort the work so that the threads of a warp go the same way, or another divergence mechanism (warpfork "
          "compare)."};
}

class Losses {
 public:
  explicit Losses(const LaunchRecord& all)
      : whole_{static_cast<double>(all.occupancy.core_cycles), static_cast<double>(all.scheduler_cycles)} {
    add_stall("", all.stalls[static_cast<unsigned>(StallCause::NoWarp)], StallCause::NoWarp);
  }

  void add_kernel(const std::string& name, std::span<const LaunchRecord> launches) {
    const std::string kernel = readable_kernel_name(name);
    std::vector<std::string> troubled;  // places with an access that is a loss by itself
    for (const LineSum& line : sum_lines(launches, true)) {
      const std::string place = fmt::format("{} ({})", line.place(), kernel);
      const std::size_t before = all_.size();
      add(scattered(place, line.count, whole_));
      add(conflicting(place, line.count, whole_));
      if (all_.size() > before) troubled.push_back(line.place());
    }
    for (const LineSum& line : sum_lines(launches)) add_stalls(kernel, line, troubled);
    if (launches.front().lanes.empty()) add_branches(kernel, launches);
  }

  std::vector<Loss> largest() && {
    std::ranges::stable_sort(all_, std::greater<>(), &Loss::share);
    if (all_.size() > kLosses) all_.resize(kLosses);
    return std::move(all_);
  }

 private:
  void add(Loss loss) {
    if (loss.share >= kLeastShare) all_.push_back(std::move(loss));
  }
  void add_stall(const std::string& place, std::uint64_t cycles, StallCause cause) {
    const auto number = static_cast<unsigned>(cause);
    add({ratio(cycles, whole_.scheduler_cycles), place + kStallWords[number], kStallRemedies[number]});
  }
  /// What memory keeps is told of who asked, not of who waits. Where accesses take more turns than they need, those
  /// behind them wait for their unit and for their data.
  void add_stalls(const std::string& kernel, const LineSum& line, const std::vector<std::string>& troubled) {
    const bool is_troubled = std::ranges::find(troubled, line.place()) != troubled.end();
    for (unsigned cause = 0; cause < kStallCauses; ++cause) {
      const auto stall = static_cast<StallCause>(cause);
      const bool is_symptom = (stall == StallCause::Pipeline && !troubled.empty() &&
                               line.count.requests + line.count.shared_requests > 0) ||
                              (stall == StallCause::Memory && is_troubled);
      const std::uint64_t cycles = stall == StallCause::Memory ? line.count.awaited : line.count.stalls[cause];
      if (!is_symptom) add_stall(fmt::format("{} ({}): ", line.place(), kernel), cycles, stall);
    }
  }
  void add_branches(const std::string& kernel, std::span<const LaunchRecord> launches) {
    std::map<Pc, BranchCount> by_pc;
    for (const LaunchRecord& launch : launches)
      for (const BranchCount& branch : launch.branches) {
        const auto [place, added] = by_pc.try_emplace(branch.pc, branch);
        if (!added) report::add(place->second, branch);
      }
    for (const auto& [pc, branch] : by_pc) add(parted(kernel, branch, launches.front().warp_size, whole_));
  }

  Whole whole_;
  std::vector<Loss> all_;
};

}  // namespace

std::string verdict(std::span<const LaunchRecord> launches) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<LaunchRecord>> kernels;
  for (const LaunchRecord& launch : launches) {
    if (launch.lines.empty()) continue;
    if (!kernels.contains(launch.name)) order.push_back(launch.name);
    kernels[launch.name].push_back(launch);
  }
  if (order.empty()) return "";
  Losses losses(sum_launches(launches).sums);
  for (const std::string& name : order) losses.add_kernel(name, kernels[name]);
  std::string text = "why slow\n";
  std::size_t number = 0;
  for (const Loss& loss : std::move(losses).largest())
    text += wrapped(fmt::format("{}. {}. {} of the time. {}", ++number, loss.what, percent(loss.share), loss.remedy),
                    "  ", "     ");
  if (number == 0) text += fmt::format("  no line lost {} of the time\n", percent(kLeastShare));
  return text;
}

}  // namespace warpfork::report
