// What the runs of an experiment say: the values of its figures.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/experiment_plan.h"
#include "experiment/run_name.h"
#include "report/result_document.h"

namespace warpfork::experiment {

/// The totals of every run (docs/result-schema.md).
using Totals = std::map<RunName, report::Json>;

/// Throws Error if a figure is of a number that no run has: it would show nothing but dashes.
void require_numbers(const config::ExperimentPlan& plan, const Totals& totals);

/// Reads figures off the runs of a plan: those of one recording, or of one open choice. Where there is no such run it
/// takes the first recording's, as the configuration is. Plan and totals must outlive it.
class Evaluation {
 public:
  Evaluation(const config::ExperimentPlan& plan, const Totals& totals, std::string choice = "", unsigned recording = 0)
      : plan_(plan), totals_(totals), choice_(std::move(choice)), recording_(recording) {}

  /// Of one bar; nothing if the run has no such number, or one by which it would have to be divided is 0.
  std::optional<double> value(const config::Quantity& quantity, const std::string& benchmark,
                              const std::string& configuration) const;

  /// Over the figure's benchmarks that have a value; nothing if none has, or the figure has no mean.
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
  std::vector<double> subjects_of(const config::Figure& figure, const config::Claim& claim,
                                  const std::vector<std::string>& benchmarks) const;
  bool has_all(const config::Figure& figure, const config::Claim& claim) const;
  std::vector<double> values(const config::Quantity& quantity, const std::vector<std::string>& benchmarks,
                             const std::string& configuration) const;

  const report::Json* run(const std::string& benchmark, const std::string& configuration) const;

  const config::ExperimentPlan& plan_;
  const Totals& totals_;
  std::string choice_;
  unsigned recording_;
};

}  // namespace warpfork::experiment
