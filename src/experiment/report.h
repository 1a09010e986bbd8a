// The figures of an experiment as text and as JSON, the paper's numbers beside ours.
#pragma once

#include <string>

#include "config/experiment_plan.h"
#include "experiment/evaluation.h"

namespace warpfork::experiment {

/// Every figure: a table for each of its quantities, benchmarks by configurations, then the paper's claims, then how
/// far their numbers depend on what the paper leaves open. "1.25 ±0.03": mean over several recordings, half of their
/// range.
///
/// Printed sample:
///   Figure 18: Overall speed-up
///     speed-up       pdom  multi-path
///     MC             1.00        1.23
///     harmonic mean  1.00        1.19
///     + basic MP over SPS, mean: paper 18.6 %, here 1.19
///     - …                                   (does not hold here)
///     over what the paper leaves open  paper  as it is          lowest         highest
///     basic MP over SPS, mean          1.186      1.19  1.10 (a choice)  1.19 (as it is)
std::string figures_text(const config::ExperimentPlan& plan, const Totals& totals);

/// The same as docs/experiments.md describes it; `scale` as it was read. With the totals of every run.
report::Json figures_json(const config::ExperimentPlan& plan, const std::string& scale, const Totals& totals);

}  // namespace warpfork::experiment
