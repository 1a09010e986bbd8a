// The tables of a figure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/experiment_plan.h"
#include "experiment/evaluation.h"
#include "experiment/recordings.h"
#include "report/text_table.h"

namespace warpfork::experiment {

/// "1.25": three significant digits, without an exponent; "1.25 ±0.03" with half of its range over the recordings, if
/// that is anything; "–" if there is none.
std::string number_text(const std::optional<Spread>& number);

/// For each quantity benchmarks by configurations, and a row of means. If one configuration is shown, benchmarks by
/// quantities instead; if rows are to be configurations, those by quantities, of means.
std::vector<report::TextTable> tables_of(const config::ExperimentPlan& plan, const Recordings& recordings,
                                         const config::Figure& figure);

/// A row for each of the figure's numbers that are told as a band; nothing if there are none.
std::optional<report::TextTable> bands_of(const config::ExperimentPlan& plan, const Totals& totals,
                                          const config::Figure& figure);

}  // namespace warpfork::experiment
