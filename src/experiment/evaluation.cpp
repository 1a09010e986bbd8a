#include "experiment/evaluation.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/named.h"
#include "base/text.h"

namespace warpfork::experiment {

namespace {

using config::Claim;
using config::Figure;
using config::Mean;
using config::Quantity;
using report::Json;

std::optional<double> number_at(const Json& totals, const std::string& path) {
  const Json::json_pointer pointer("/" + path);
  if (!totals.contains(pointer)) return std::nullopt;
  const Json& found = totals.at(pointer);
  if (found.is_number()) return found.get<double>();
  if (!found.is_structured()) return std::nullopt;
  double sum = 0;
  for (const Json& part : found)
    if (part.is_number()) sum += part.get<double>();
  return sum;
}

std::optional<double> sum_at(const Json& totals, const std::vector<std::string>& paths) {
  double sum = 0;
  for (const std::string& path : paths) {
    const std::optional<double> number = number_at(totals, path);
    if (!number) return std::nullopt;
    sum += *number;
  }
  return sum;
}

std::optional<double> quotient(std::optional<double> part, std::optional<double> whole) {
  if (!part || !whole || *whole == 0) return std::nullopt;
  return *part / *whole;
}

std::optional<double> mean_of(const std::vector<double>& values, Mean mean) {
  if (values.empty() || mean == Mean::None) return std::nullopt;
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) {
    if (mean != Mean::Arithmetic && value <= 0) return std::nullopt;
    sum += mean == Mean::Harmonic ? 1 / value : mean == Mean::Geometric ? std::log(value) : value;
  }
  if (mean == Mean::Geometric) return std::exp(sum / count);
  return mean == Mean::Harmonic ? count / sum : sum / count;
}

/// "caches/l1d/misses", as a plan names them.
std::vector<std::string> paths_in(const Totals& totals) {
  std::set<std::string> paths;
  for (const auto& [name, counted] : totals) {
    const Json flat = counted.flatten();
    for (const auto& [path, number] : flat.items()) paths.insert(path.substr(1));
  }
  return {paths.begin(), paths.end()};
}

}  // namespace

void require_numbers(const config::ExperimentPlan& plan, const Totals& totals) {
  for (const Figure& figure : plan.figures)
    for (const Quantity& quantity : figure.quantities)
      for (const std::vector<std::string>* const paths : {&quantity.value, &quantity.per})
        for (const std::string& path : *paths)
          if (std::ranges::none_of(totals, [&](const auto& run) { return number_at(run.second, path).has_value(); }))
            throw Error("{}, '{}': no run has a number '{}'\n  nearest: {}", figure.name, quantity.title, path,
                        fmt::join(nearest_names(path, paths_in(totals)), ", "));
}

const Json* Evaluation::run(const std::string& benchmark, const std::string& configuration) const {
  auto found = totals_.find({benchmark, configuration, choice_, recording_});
  if (found == totals_.end()) found = totals_.find({benchmark, configuration});
  return found == totals_.end() ? nullptr : &found->second;
}

std::optional<double> Evaluation::raw(const Quantity& quantity, const std::string& benchmark,
                                      const std::string& configuration) const {
  const Json* const totals = run(benchmark, configuration);
  if (totals == nullptr) return std::nullopt;
  std::optional<double> value = sum_at(*totals, quantity.value);
  if (!quantity.per.empty()) value = quotient(value, sum_at(*totals, quantity.per));
  if (value) *value *= quantity.times;
  return value;
}

std::optional<double> Evaluation::value(const Quantity& quantity, const std::string& benchmark,
                                        const std::string& configuration) const {
  const std::optional<double> own = raw(quantity, benchmark, configuration);
  if (quantity.relation == Quantity::Relation::None) return own;
  const std::optional<double> baseline = raw(quantity, benchmark, plan_.baseline);
  return quantity.relation == Quantity::Relation::SpeedUp ? quotient(baseline, own) : quotient(own, baseline);
}

std::optional<double> Evaluation::mean(const Figure& figure, const Quantity& quantity,
                                       const std::string& configuration) const {
  return mean_of(values(quantity, figure.rows(plan_.benchmarks), configuration), figure.mean);
}

std::optional<double> Evaluation::subject(const Figure& figure, const Claim& claim) const {
  if (!claim.of_several()) return subject_of(figure, claim, claim.of);
  const std::vector<double> all =
      subjects_of(figure, claim, claim.among.empty() ? figure.rows(plan_.benchmarks) : claim.among);
  if (claim.of == "mean") return mean_of(all, figure.mean);
  if (all.empty()) return std::nullopt;
  return claim.of == "largest" ? std::ranges::max(all) : std::ranges::min(all);
}

std::optional<bool> Evaluation::holds(const Figure& figure, const Claim& claim) const {
  if (!claim.greater.empty()) {
    const std::vector<double> greater = subjects_of(figure, claim, claim.greater);
    const std::vector<double> lesser = subjects_of(figure, claim, claim.lesser);
    if (greater.size() != claim.greater.size() || lesser.size() != claim.lesser.size()) return std::nullopt;
    return std::ranges::min(greater) > std::ranges::max(lesser);
  }
  const std::optional<double> value = subject(figure, claim);
  if (!value || !has_all(figure, claim)) return std::nullopt;
  return (!claim.at_least || *value >= *claim.at_least) && (!claim.at_most || *value <= *claim.at_most);
}

/// Whether none of the benchmarks was left out whose mean or extreme the claim is about.
bool Evaluation::has_all(const Figure& figure, const Claim& claim) const {
  if (!claim.of_several()) return true;
  const std::vector<std::string>& about = claim.among.empty() ? figure.benchmarks : claim.among;
  if (about.empty()) return !plan_.is_partial;
  const std::vector<std::string> there = names_of(plan_.benchmarks);
  return std::ranges::all_of(
      about, [&](const std::string& benchmark) { return std::ranges::find(there, benchmark) != there.end(); });
}

std::optional<double> Evaluation::subject_of(const Figure& figure, const Claim& claim,
                                             const std::string& benchmark) const {
  const Quantity& quantity = figure.quantities[claim.quantity];
  const std::optional<double> own = value(quantity, benchmark, claim.configuration);
  return claim.over.empty() ? own : quotient(own, value(quantity, benchmark, claim.over));
}

std::vector<double> Evaluation::subjects_of(const Figure& figure, const Claim& claim,
                                            const std::vector<std::string>& benchmarks) const {
  std::vector<double> all;
  for (const std::string& benchmark : benchmarks)
    if (const auto one = subject_of(figure, claim, benchmark)) all.push_back(*one);
  return all;
}

std::vector<double> Evaluation::values(const Quantity& quantity, const std::vector<std::string>& benchmarks,
                                       const std::string& configuration) const {
  std::vector<double> all;
  for (const std::string& benchmark : benchmarks)
    if (const auto one = value(quantity, benchmark, configuration)) all.push_back(*one);
  return all;
}

}  // namespace warpfork::experiment
