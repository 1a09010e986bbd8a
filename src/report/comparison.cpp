#include "report/comparison.h"

#include <fmt/format.h>

#include <cmath>

#include "report/text_table.h"

namespace warpfork::report {

namespace {

constexpr double kNoticeable = 0.005;  // half a percent: below it a count has not changed

double number(const Contestant& contestant, const char* key) { return contestant.totals.at(key).get<double>(); }

/// 0.2 = a fifth less than before; negative = more.
double saving(double before, double after) { return before > 0 ? (before - after) / before : 0; }

std::string less_or_more(double saved, const char* less, const char* more) {
  return fmt::format("{} {}", percent(std::fabs(saved)), saved >= 0 ? less : more);
}

/// Something that differs between two runs.
struct Difference {
  double saved = 0;  // against the first run, see saving()
  std::string text;
};

/// The cause whose scheduler cycles changed most in one direction; empty if none did noticeably, against all of them.
std::string changed_cause(const Contestant& first, const Contestant& other, bool fell) {
  std::string most;
  double change = kNoticeable * number(first, "scheduler_cycles");
  for (const auto& [cause, before] : first.totals.at("stalls").items()) {
    const double less = before.get<double>() - other.totals.at("stalls").at(cause).get<double>();
    if ((fell ? less : -less) <= change) continue;
    change = fell ? less : -less;
    most = cause;
  }
  return most;
}

Difference issued(const Contestant& first, const Contestant& other) {
  const double saved = saving(number(first, "warp_instructions"), number(other, "warp_instructions"));
  return {saved,
          fmt::format("it issued {} warp instructions (SIMD efficiency {} → {})", less_or_more(saved, "fewer", "more"),
                      percent(number(first, "simd_efficiency")), percent(number(other, "simd_efficiency")))};
}

Difference idled(const Contestant& first, const Contestant& other) {
  const double saved = saving(number(first, "idle_cycles"), number(other, "idle_cycles"));
  const std::string cause = changed_cause(first, other, saved > 0);
  return {saved,
          fmt::format(
              "its cores idled {}{}", less_or_more(saved, "less", "more"),
              cause.empty() ? "" : fmt::format(" (stalls by cause '{}' {} most)", cause, saved > 0 ? "fell" : "grew"))};
}

/// What went against the idle cycles.
Difference stalled(const Contestant& first, const Contestant& other, bool fell) {
  const std::string cause = changed_cause(first, other, fell);
  return {cause.empty() ? 0 : fell ? 1.0 : -1.0, fmt::format("stalls by cause '{}' {}", cause, fell ? "fell" : "grew")};
}

Difference missed(const Contestant& first, const Contestant& other) {
  const auto misses = [](const Contestant& run) {
    return run.totals.at("caches").at("l1d").at("misses").get<double>();
  };
  const double saved = saving(misses(first), misses(other));
  return {saved, fmt::format("its L1 data caches missed {}", less_or_more(saved, "less", "more"))};
}

/// Both halves: what worked towards the outcome and, after "though", what worked against it.
std::string reasons(const Contestant& first, const Contestant& other, bool faster) {
  const Difference idle = idled(first, other);
  const Difference all[] = {issued(first, other), idle, stalled(first, other, idle.saved < 0), missed(first, other)};
  std::vector<std::string> towards, against;
  for (const Difference& difference : all)
    if (std::fabs(difference.saved) >= kNoticeable)
      ((difference.saved > 0) == faster ? towards : against).push_back(difference.text);
  if (towards.empty())
    towards.emplace_back("for a reason that these counts do not show");
  else if (std::fabs(all[0].saved) < kNoticeable)
    towards.insert(towards.begin(), "it issued the same warp instructions");
  return fmt::format("{}{}{}", fmt::join(towards, " and "), against.empty() ? "" : ", though ",
                     fmt::join(against, " and "));
}

/// One mechanism against the first.
std::string sentence(const Contestant& first, const Contestant& other) {
  const double saved = saving(number(first, "cycles"), number(other, "cycles"));
  if (std::fabs(saved) < kNoticeable)
    return fmt::format("{} took as many cycles as {}, within 0.5 %.", other.mechanism, first.mechanism);
  return fmt::format("{} took {} cycles than {}: {}.", other.mechanism, less_or_more(saved, "fewer", "more"),
                     first.mechanism, reasons(first, other, saved > 0));
}

}  // namespace

std::string comparison_table(const std::vector<Contestant>& contestants) {
  TextTable table({"mechanism", "cycles", "speed-up", "SIMD efficiency", "idle cycles"});
  for (const Contestant& contestant : contestants) {
    const double cycles = number(contestant, "cycles");
    const double speed_up = cycles > 0 ? number(contestants.front(), "cycles") / cycles : 1;
    table.add({contestant.mechanism, grouped(contestant.totals.at("cycles").get<std::uint64_t>()),
               fmt::format("{:.2f}×", speed_up), percent(number(contestant, "simd_efficiency")),
               grouped(contestant.totals.at("idle_cycles").get<std::uint64_t>())});
  }
  return table.text();
}

std::string comparison_reasons(const std::vector<Contestant>& contestants) {
  const Contestant& first = contestants.front();
  if (contestants.size() == 1) return fmt::format("{} ran alone.\n", first.mechanism);
  std::string text;
  for (auto other = contestants.begin() + 1; other != contestants.end(); ++other)
    text += sentence(first, *other) + "\n";
  return text;
}

}  // namespace warpfork::report
