#include "report/comparison.h"

#include <fmt/format.h>

#include <cmath>

#include "base/wrapped.h"
#include "report/ratio.h"
#include "report/text_table.h"

namespace warpfork::report {

namespace {

constexpr double kNoticeable = 0.005;  // half a percent: below it a count has not changed

/// 0.2 = a fifth less than before; negative = more.
double saving(std::uint64_t before, std::uint64_t after) {
  return before > 0 ? (static_cast<double>(before) - static_cast<double>(after)) / static_cast<double>(before) : 0;
}

std::string less_or_more(double saved, const char* less, const char* more) {
  return fmt::format("{} {}", percent(std::fabs(saved)), saved >= 0 ? less : more);
}

/// Something that differs between two runs.
struct Difference {
  double saved = 0;  // against the first run, see saving()
  std::string text;
};

/// The cause whose scheduler cycles changed most in one direction; empty if none did noticeably, against all of them.
/// Not a scheduler's lack of warps: that follows from the others' time.
std::string changed_cause(const LaunchRecord& first, const LaunchRecord& other, bool fell) {
  std::string most;
  double change = kNoticeable * static_cast<double>(first.scheduler_cycles);
  for (unsigned cause = 0; cause < kStallCauses; ++cause) {
    if (static_cast<StallCause>(cause) == StallCause::NoWarp) continue;
    const double less = static_cast<double>(first.stalls[cause]) - static_cast<double>(other.stalls[cause]);
    if ((fell ? less : -less) <= change) continue;
    change = fell ? less : -less;
    most = kStallCauseKeys[cause].name;
  }
  return most;
}

Difference issued(const LaunchRecord& first, const LaunchRecord& other) {
  const double saved = saving(first.warp_instructions, other.warp_instructions);
  return {saved,
          fmt::format("it issued {} warp instructions (SIMD efficiency {} → {})", less_or_more(saved, "fewer", "more"),
                      percent(first.simd_efficiency()), percent(other.simd_efficiency()))};
}

Difference idled(const LaunchRecord& first, const LaunchRecord& other) {
  const double saved = saving(first.idle_cycles, other.idle_cycles);
  const std::string cause = changed_cause(first, other, saved > 0);
  return {saved,
          fmt::format(
              "its cores idled {}{}", less_or_more(saved, "less", "more"),
              cause.empty() ? "" : fmt::format(" (stalls by cause '{}' {} most)", cause, saved > 0 ? "fell" : "grew"))};
}

/// What went against the idle cycles.
Difference stalled(const LaunchRecord& first, const LaunchRecord& other, bool fell) {
  const std::string cause = changed_cause(first, other, fell);
  return {cause.empty() ? 0 : fell ? 1.0 : -1.0, fmt::format("stalls by cause '{}' {}", cause, fell ? "fell" : "grew")};
}

Difference missed(const LaunchRecord& first, const LaunchRecord& other) {
  const double saved = saving(first.memory.caches.l1d.misses, other.memory.caches.l1d.misses);
  return {saved, fmt::format("its L1 data caches missed {}", less_or_more(saved, "less", "more"))};
}

/// Where some cores had ended before others, or not had work yet.
Difference balanced(const LaunchRecord& first, const LaunchRecord& other) {
  const double before = ratio(first.occupancy.core_cycles, first.cycles);
  const double after = ratio(other.occupancy.core_cycles, other.cycles);
  const double saved = before > 0 ? (after - before) / before : 0;
  return {saved, fmt::format("its cores had work {} of the time", less_or_more(saved, "more", "less"))};
}

/// Both halves: what worked towards the outcome and, after "though", what worked against it.
std::string reasons(const LaunchRecord& first, const LaunchRecord& other, bool faster) {
  const Difference idle = idled(first, other);
  const Difference all[] = {issued(first, other), idle, stalled(first, other, idle.saved < 0), missed(first, other)};
  std::vector<std::string> towards, against;
  for (const Difference& difference : all)
    if (std::fabs(difference.saved) >= kNoticeable)
      ((difference.saved > 0) == faster ? towards : against).push_back(difference.text);
  if (const Difference balance = balanced(first, other);
      towards.empty() && std::fabs(balance.saved) >= kNoticeable && (balance.saved > 0) == faster)
    towards.push_back(balance.text);
  if (towards.empty())
    towards.emplace_back("for a reason that these counts do not show");
  else if (std::fabs(all[0].saved) < kNoticeable)
    towards.insert(towards.begin(), "it issued the same warp instructions");
  return fmt::format("{}{}{}", fmt::join(towards, " and "), against.empty() ? "" : ", though ",
                     fmt::join(against, " and "));
}

std::string speed_up(const Contestant& first, const Contestant& other) {
  if (other.cut_off) return "cut off";
  if (first.cut_off) return "–";
  return fmt::format("{:.2f}×", ratio(first.totals.sums.cycles, other.totals.sums.cycles));
}

/// One mechanism against the first.
std::string sentence(const Contestant& first, const Contestant& other) {
  if (other.cut_off) return fmt::format("{} was cut off and is not held against {}.", other.mechanism, first.mechanism);
  const double saved = saving(first.totals.sums.cycles, other.totals.sums.cycles);
  if (std::fabs(saved) < kNoticeable)
    return fmt::format("{} took as many cycles as {}, within 0.5 %.", other.mechanism, first.mechanism);
  return fmt::format("{} took {} cycles than {}: {}.", other.mechanism, less_or_more(saved, "fewer", "more"),
                     first.mechanism, reasons(first.totals.sums, other.totals.sums, saved > 0));
}

}  // namespace

std::string comparison_table(const std::vector<Contestant>& contestants) {
  TextTable table({"mechanism", "cycles", "speed-up", "SIMD efficiency", "idle cycles"});
  for (const Contestant& contestant : contestants) {
    const LaunchRecord& sums = contestant.totals.sums;
    if (sums.cycles == 0) {  // nothing was timed
      const bool has_run = sums.warp_instructions != 0;
      table.add({contestant.mechanism, "–", "–", has_run ? percent(sums.simd_efficiency()) : "–", "–"});
      continue;
    }
    table.add({contestant.mechanism, grouped(sums.cycles), speed_up(contestants.front(), contestant),
               percent(sums.simd_efficiency()), grouped(sums.idle_cycles)});
  }
  return table.text();
}

std::string comparison_reasons(const std::vector<Contestant>& contestants) {
  const Contestant& first = contestants.front();
  if (contestants.size() == 1) return fmt::format("{} ran alone.\n", first.mechanism);
  if (first.totals.sums.cycles == 0) return "Nothing was timed; their outputs were compared.\n";
  if (first.cut_off) return fmt::format("{} was cut off: nothing is held against it.\n", first.mechanism);
  std::string text;
  for (auto other = contestants.begin() + 1; other != contestants.end(); ++other)
    text += wrapped(sentence(first, *other), "", "  ");
  return text;
}

}  // namespace warpfork::report
