#include "experiment/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/named.h"
#include "experiment/band.h"
#include "experiment/recordings.h"
#include "report/text_table.h"

namespace warpfork::experiment {

namespace {

using config::Claim;
using config::ExperimentPlan;
using config::Figure;
using config::Mean;
using config::Quantity;

/// Of three significant digits.
int decimals(double value) {
  const double size = value < 0 ? -value : value;
  return size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 || size == 0 ? 2 : 3;
}

/// Three significant digits, without an exponent.
std::string number_text(double value) { return fmt::format("{:.{}f}", value, decimals(value)); }

/// With half of its range over the recordings, if that is anything.
std::string number_text(const std::optional<Spread>& number) {
  if (!number) return "–";
  const std::string text = number_text(number->mean);
  if (number->least == number->most) return text;
  return fmt::format("{} ±{:.{}f}", text, (number->most - number->least) / 2, decimals(number->mean));
}

std::string paper_text(const Quantity& quantity, const std::string& benchmark) {
  const auto number = quantity.paper.find(benchmark);
  return number == quantity.paper.end() ? "–" : number_text(number->second);
}

std::string table_text(const ExperimentPlan& plan, const Recordings& recordings, const Figure& figure,
                       const Quantity& quantity) {
  const std::vector<std::string> names = figure.columns(plan.configurations);
  std::vector<std::string> heading = {quantity.title};
  heading.insert(heading.end(), names.begin(), names.end());
  if (!quantity.paper.empty()) heading.push_back("paper");
  report::TextTable table(heading);
  for (const std::string& benchmark : figure.rows(plan.benchmarks)) {
    std::vector<std::string> row = {benchmark};
    for (const std::string& name : names) row.push_back(number_text(recordings.value(quantity, benchmark, name)));
    if (!quantity.paper.empty()) row.push_back(paper_text(quantity, benchmark));
    table.add(std::move(row));
  }
  if (figure.mean != Mean::None) {
    std::vector<std::string> row = {std::string(name_of(figure.mean))};
    for (const std::string& name : names) row.push_back(number_text(recordings.mean(figure, quantity, name)));
    if (!quantity.paper.empty()) row.push_back("");
    table.add(std::move(row));
  }
  return table.text("  ");
}

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

std::string point_text(const Band::Point& point) {
  return fmt::format("{} ({})", number_text(point.value), point.choice.empty() ? "as it is" : point.choice);
}

/// A row for each of the figure's numbers that are told as a band; empty if there are none.
std::string bands_text(const ExperimentPlan& plan, const Totals& totals, const Figure& figure) {
  report::TextTable table({"over what the paper leaves open", "paper", "as it is", "lowest", "highest"});
  bool any = false;
  for (const Claim& claim : figure.claims)
    if (const std::optional<Band> band = band_of(plan, totals, figure, claim)) {
      table.add({claim.text, claim.paper.empty() ? "–" : claim.paper, number_text(band->own.value),
                 point_text(band->lowest()), point_text(band->highest())});
      any = true;
    }
  return any ? table.text("  ") : "";
}

}  // namespace

std::string figures_text(const ExperimentPlan& plan, const Totals& totals) {
  const Recordings recordings(plan, totals);
  std::string text;
  for (const Figure& figure : plan.figures) {
    text += fmt::format("\n{}: {}\n", figure.name, figure.title);
    for (const Quantity& quantity : figure.quantities) text += table_text(plan, recordings, figure, quantity);
    for (const Claim& claim : figure.claims) text += claim_text(recordings, figure, claim);
    text += bands_text(plan, totals, figure);
  }
  return text;
}

}  // namespace warpfork::experiment
