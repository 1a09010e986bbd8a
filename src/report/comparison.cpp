#include "report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
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

/// The cause that lost most scheduler cycles from `first` to `best`; empty if none did.
std::string relieved_cause(const Contestant& first, const Contestant& best) {
  std::string relieved;
  std::int64_t most = 0;
  for (const auto& [cause, before] : first.totals.at("stalls").items()) {
    const std::int64_t gain = before.get<std::int64_t>() - best.totals.at("stalls").at(cause).get<std::int64_t>();
    if (gain > most) {
      most = gain;
      relieved = cause;
    }
  }
  return relieved;
}

std::string efficiency_part(const Contestant& first, const Contestant& best) {
  const double saved = saving(number(first, "warp_instructions"), number(best, "warp_instructions"));
  if (std::fabs(saved) < kNoticeable) return "it issued the same warp instructions";
  return fmt::format("it issued {} warp instructions (SIMD efficiency {} → {})", less_or_more(saved, "fewer", "more"),
                     percent(number(first, "simd_efficiency")), percent(number(best, "simd_efficiency")));
}

std::string idle_part(const Contestant& first, const Contestant& best) {
  const double saved = saving(number(first, "idle_cycles"), number(best, "idle_cycles"));
  if (std::fabs(saved) < kNoticeable) return "its cores idled as long";
  const std::string cause = relieved_cause(first, best);
  return fmt::format("its cores idled {}{}", less_or_more(saved, "less", "more"),
                     cause.empty() || saved < 0 ? "" : fmt::format(" (stalls by cause '{}' fell most)", cause));
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

std::string comparison_reason(const std::vector<Contestant>& contestants) {
  const Contestant& first = contestants.front();
  const Contestant& best = *std::min_element(
      contestants.begin(), contestants.end(),
      [](const Contestant& a, const Contestant& b) { return number(a, "cycles") < number(b, "cycles"); });
  const double saved = saving(number(first, "cycles"), number(best, "cycles"));
  if (contestants.size() == 1) return fmt::format("{} ran alone.", first.mechanism);
  if (saved < kNoticeable)
    return fmt::format("No mechanism was noticeably faster than {}: lanes part too rarely, or too briefly, to pay.",
                       first.mechanism);
  const std::string issued = efficiency_part(first, best), idled = idle_part(first, best);
  // A sentence needs one reason that points the winner's way; what points the other way follows after "though".
  const bool issued_helps = number(best, "warp_instructions") <= number(first, "warp_instructions");
  const bool idled_helps = number(best, "idle_cycles") <= number(first, "idle_cycles");
  const std::string why = issued_helps == idled_helps ? fmt::format("{} and {}", issued, idled)
                          : issued_helps              ? fmt::format("{}, though {}", issued, idled)
                                                      : fmt::format("{}, though {}", idled, issued);
  return fmt::format("{} took {} fewer cycles than {}: {}.", best.mechanism, percent(saved), first.mechanism, why);
}

}  // namespace warpfork::report
