#include <nlohmann/json.hpp>

#include "base/named.h"
#include "experiment/band.h"
#include "experiment/recordings.h"
#include "experiment/report.h"

namespace warpfork::experiment {

namespace {

using config::Claim;
using config::ExperimentPlan;
using config::Figure;
using config::Mean;
using config::Quantity;
using report::Json;

Json number_json(const std::optional<Spread>& number) { return number ? Json(number->mean) : Json(nullptr); }

Json range_json(const std::optional<Spread>& number) {
  return number ? Json{number->least, number->most} : Json(nullptr);
}

Json quantity_json(const ExperimentPlan& plan, const Recordings& recordings, const Figure& figure,
                   const Quantity& quantity) {
  Json rows = Json::object(), means = Json::object(), ranges = Json::object();
  const std::vector<std::string> names = figure.columns(plan.configurations);
  for (const std::string& benchmark : figure.rows(plan.benchmarks))
    for (const std::string& name : names) {
      const std::optional<Spread> value = recordings.value(quantity, benchmark, name);
      rows[benchmark][name] = number_json(value);
      ranges[benchmark][name] = range_json(value);
    }
  if (figure.mean != Mean::None)
    for (const std::string& name : names) means[name] = number_json(recordings.mean(figure, quantity, name));
  Json json = {{"title", quantity.title}, {"values", std::move(rows)}, {"means", std::move(means)}};
  for (const auto& [benchmark, number] : quantity.paper) json["paper"][benchmark] = number;
  if (recordings.count() > 1) json["ranges"] = std::move(ranges);
  return json;
}

Json claim_json(const ExperimentPlan& plan, const Totals& totals, const Recordings& recordings, const Figure& figure,
                const Claim& claim) {
  const std::optional<bool> holds = recordings.holds(figure, claim);
  const std::optional<Spread> here =
      claim.greater.empty() ? recordings.subject(figure, claim) : std::optional<Spread>();
  Json json = {{"text", claim.text},
               {"paper", claim.paper},
               {"here", number_json(here)},
               {"holds", holds ? Json(*holds) : Json(nullptr)}};
  if (recordings.count() > 1) json["range"] = range_json(here);
  if (const std::optional<Band> band = band_of(plan, totals, figure, claim))
    for (const Band::Point& other : band->others) json["band"][other.choice] = other.value;
  return json;
}

Json runs_json(const ExperimentPlan& plan, const Totals& totals, unsigned recordings) {
  Json runs = Json::array();
  for (const RunName& name : runs_of(plan, recordings)) {
    const auto run_totals = totals.find(name);
    if (run_totals == totals.end()) continue;
    const config::Benchmark& benchmark = find_named(plan.benchmarks, name.benchmark, "benchmark", "benchmarks");
    Json run = {{"benchmark", name.benchmark},
                {"program", benchmark.program},
                {"arguments", benchmark.arguments},
                {"configuration", name.configuration},
                {"totals", run_totals->second}};
    if (!benchmark.kernels.empty()) run["kernels"] = benchmark.kernels;
    if (!name.choice.empty()) run["choice"] = name.choice;
    if (benchmark.varies) run["recording"] = name.recording + 1;
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace

Json figures_json(const ExperimentPlan& plan, const std::string& scale, const Totals& totals) {
  const Recordings recordings(plan, totals);
  Json figures = Json::array();
  for (const Figure& figure : plan.figures) {
    Json quantities = Json::array(), claims = Json::array();
    for (const Quantity& quantity : figure.quantities)
      quantities.push_back(quantity_json(plan, recordings, figure, quantity));
    for (const Claim& claim : figure.claims) claims.push_back(claim_json(plan, totals, recordings, figure, claim));
    figures.push_back({{"name", figure.name},
                       {"title", figure.title},
                       {"mean", figure.mean == Mean::None ? Json(nullptr) : Json(name_of(figure.mean))},
                       {"quantities", std::move(quantities)},
                       {"claims", std::move(claims)}});
  }
  return {{"schema", 1},
          {"experiment", plan.title},
          {"paper", plan.paper},
          {"machine", plan.machine},
          {"scale", scale},
          {"figures", std::move(figures)},
          {"runs", runs_json(plan, totals, recordings.count())}};
}

}  // namespace warpfork::experiment
