#include "experiment/report.h"

#include <fmt/format.h>

#include "base/named.h"
#include "report/text_table.h"

namespace warpfork::experiment {

namespace {

using config::Claim;
using config::Configuration;
using config::ExperimentPlan;
using config::Figure;
using config::Mean;
using config::Quantity;
using report::Json;

std::vector<std::string> columns(const ExperimentPlan& plan, const Figure& figure) {
  return figure.configurations.empty() ? names_of(plan.configurations) : figure.configurations;
}

const char* name_of(Mean mean) {
  if (mean == Mean::Harmonic) return "harmonic mean";
  return mean == Mean::Geometric ? "geometric mean" : "mean";
}

/// Three significant digits, without an exponent.
std::string number_text(std::optional<double> value) {
  if (!value) return "–";
  const double size = *value < 0 ? -*value : *value;
  return fmt::format("{:.{}f}", *value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 || size == 0 ? 2 : 3);
}

std::string table_text(const ExperimentPlan& plan, const Evaluation& evaluation, const Figure& figure,
                       const Quantity& quantity) {
  const std::vector<std::string> names = columns(plan, figure);
  std::vector<std::string> heading = {quantity.title};
  heading.insert(heading.end(), names.begin(), names.end());
  report::TextTable table(heading);
  for (const config::Benchmark& benchmark : plan.benchmarks) {
    std::vector<std::string> row = {benchmark.name};
    for (const std::string& name : names) row.push_back(number_text(evaluation.value(quantity, benchmark.name, name)));
    table.add(std::move(row));
  }
  if (figure.mean != Mean::None) {
    std::vector<std::string> row = {name_of(figure.mean)};
    for (const std::string& name : names) row.push_back(number_text(evaluation.mean(figure, quantity, name)));
    table.add(std::move(row));
  }
  return table.text("  ");
}

std::string claim_text(const Evaluation& evaluation, const Figure& figure, const Claim& claim) {
  const std::optional<bool> holds = evaluation.holds(figure, claim);
  std::string text = fmt::format("  {} {}", !holds ? '?' : *holds ? '+' : '-', claim.text);
  std::vector<std::string> numbers;
  if (!claim.paper.empty()) numbers.push_back(fmt::format("paper {}", claim.paper));
  if (claim.greater.empty()) numbers.push_back(fmt::format("here {}", number_text(evaluation.subject(figure, claim))));
  if (!numbers.empty()) text += fmt::format(": {}", fmt::join(numbers, ", "));
  const bool is_measured = claim.greater.empty() && evaluation.subject(figure, claim).has_value();
  return text + (!holds && is_measured ? " (of these benchmarks alone: not judged)\n"
                 : !holds              ? " (not measured)\n"
                 : *holds              ? "\n"
                                       : " (does not hold here)\n");
}

Json number_json(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }

Json quantity_json(const ExperimentPlan& plan, const Evaluation& evaluation, const Figure& figure,
                   const Quantity& quantity) {
  Json rows = Json::object(), means = Json::object();
  const std::vector<std::string> names = columns(plan, figure);
  for (const config::Benchmark& benchmark : plan.benchmarks)
    for (const std::string& name : names)
      rows[benchmark.name][name] = number_json(evaluation.value(quantity, benchmark.name, name));
  if (figure.mean != Mean::None)
    for (const std::string& name : names) means[name] = number_json(evaluation.mean(figure, quantity, name));
  return {{"title", quantity.title}, {"values", std::move(rows)}, {"means", std::move(means)}};
}

Json claim_json(const Evaluation& evaluation, const Figure& figure, const Claim& claim) {
  const std::optional<bool> holds = evaluation.holds(figure, claim);
  return {{"text", claim.text},
          {"paper", claim.paper},
          {"here", claim.greater.empty() ? number_json(evaluation.subject(figure, claim)) : Json(nullptr)},
          {"holds", holds ? Json(*holds) : Json(nullptr)}};
}

}  // namespace

std::string figures_text(const ExperimentPlan& plan, const Totals& totals) {
  const Evaluation evaluation(plan, totals);
  std::string text;
  for (const Figure& figure : plan.figures) {
    text += fmt::format("\n{}: {}\n", figure.name, figure.title);
    for (const Quantity& quantity : figure.quantities) text += table_text(plan, evaluation, figure, quantity);
    for (const Claim& claim : figure.claims) text += claim_text(evaluation, figure, claim);
  }
  return text;
}

Json figures_json(const ExperimentPlan& plan, const std::string& scale, const Totals& totals) {
  const Evaluation evaluation(plan, totals);
  Json figures = Json::array(), runs = Json::array();
  for (const Figure& figure : plan.figures) {
    Json quantities = Json::array(), claims = Json::array();
    for (const Quantity& quantity : figure.quantities)
      quantities.push_back(quantity_json(plan, evaluation, figure, quantity));
    for (const Claim& claim : figure.claims) claims.push_back(claim_json(evaluation, figure, claim));
    figures.push_back({{"name", figure.name},
                       {"title", figure.title},
                       {"mean", figure.mean == Mean::None ? Json(nullptr) : Json(name_of(figure.mean))},
                       {"quantities", std::move(quantities)},
                       {"claims", std::move(claims)}});
  }
  for (const config::Benchmark& benchmark : plan.benchmarks)
    for (const Configuration& configuration : plan.configurations)
      if (const auto run = totals.find({benchmark.name, configuration.name}); run != totals.end())
        runs.push_back({{"benchmark", benchmark.name},
                        {"program", benchmark.program},
                        {"arguments", benchmark.arguments},
                        {"configuration", configuration.name},
                        {"totals", run->second}});
  return {{"schema", 1},    {"experiment", plan.title},      {"paper", plan.paper},    {"machine", plan.machine},
          {"scale", scale}, {"figures", std::move(figures)}, {"runs", std::move(runs)}};
}

}  // namespace warpfork::experiment
