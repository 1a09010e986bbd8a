#include "experiment/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiment/figure_tables.h"
#include "experiment/recordings.h"

namespace warpfork::experiment {

namespace {

using config::Claim;
using config::ExperimentPlan;
using config::Figure;
using report::TextTable;

std::string claim_text(const Recordings& recordings, const Figure& figure, const Claim& claim) {
  const std::optional<bool> holds = recordings.holds(figure, claim);
  std::string text = fmt::format("  {} {}", !holds ? '?' : *holds ? '+' : '-', claim.text);
  std::vector<std::string> numbers;
  if (!claim.paper.empty()) numbers.push_back(fmt::format("paper {}", claim.paper));
  const std::optional<Spread> here =
      claim.greater.empty() ? recordings.subject(figure, claim) : std::optional<Spread>();
  if (claim.greater.empty()) numbers.push_back(fmt::format("here {}", number_text(here)));
  if (!numbers.empty()) text += fmt::format(": {}", fmt::join(numbers, ", "));
  return text + (!holds && here ? " (of these benchmarks alone: not judged)\n"
                 : !holds       ? " (not measured)\n"
                 : *holds       ? "\n"
                                : " (does not hold here)\n");
}

}  // namespace

std::string figures_text(const ExperimentPlan& plan, const Totals& totals) {
  const Recordings recordings(plan, totals);
  std::string text;
  for (const Figure& figure : plan.figures) {
    text += fmt::format("\n{}: {}\n", figure.name, figure.title);
    for (const TextTable& table : tables_of(plan, recordings, figure)) text += table.text("  ");
    for (const Claim& claim : figure.claims) text += claim_text(recordings, figure, claim);
    if (const std::optional<TextTable> bands = bands_of(plan, totals, figure)) text += bands->text("  ");
  }
  return text;
}

}  // namespace warpfork::experiment
