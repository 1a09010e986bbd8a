// What the runs of an experiment say: the values of its figures.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/experiment_plan.h"
#include "report/result_document.h"

namespace warpfork::experiment {

/// The totals of every run (docs/result-schema.md), by benchmark and configuration.
using Totals = std::map<std::pair<std::string, std::string>, report::Json>;

/// Reads figures off the runs of a plan. Both must outlive it.
class Evaluation {
 public:
  Evaluation(const config::ExperimentPlan& plan, const Totals& totals) : plan_(plan), totals_(totals) {}

  /// Of one bar; nothing if the run has no such number, or one by which it would have to be divided is 0.
  std::optional<double> value(const config::Quantity& quantity, const std::string& benchmark,
                              const std::string& configuration) const;

  /// Over all benchmarks that have a value; nothing if none has, or the figure has no mean.
  std::optional<double> mean(const config::Figure& figure, const config::Quantity& quantity,
                             const std::string& configuration) const;

  /// The number that a claim with bounds is about.
  std::optional<double> subject(const config::Figure& figure, const config::Claim& claim) const;

  /// Whether our numbers bear the claim out; nothing if they are not there, or not all of those that it is about.
  std::optional<bool> holds(const config::Figure& figure, const config::Claim& claim) const;

 private:
  std::optional<double> raw(const config::Quantity& quantity, const std::string& benchmark,
                            const std::string& configuration) const;
  std::optional<double> subject_of(const config::Figure& figure, const config::Claim& claim,
                                   const std::string& benchmark) const;
  bool has_all(const config::Claim& claim) const;
  std::vector<double> values(const config::Quantity& quantity, const std::vector<std::string>& benchmarks,
                             const std::string& configuration) const;

  const config::ExperimentPlan& plan_;
  const Totals& totals_;
};

}  // namespace warpfork::experiment
