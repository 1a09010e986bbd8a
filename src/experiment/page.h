// The figures of an experiment in a page of Markdown.
#pragma once

#include <string>

#include "config/experiment_plan.h"
#include "experiment/evaluation.h"

namespace warpfork::experiment {

/// The page with the tables of figures anew, and all else as it was. A figure's stand where the page has the lines
///   <!-- tables of Figure 11 -->
///   <!-- end of Figure 11 -->
/// Behind them comes what the paper states, with our numbers. `name` is what messages call the page. Throws Error if it
/// has a place for a figure that there is not, a place without an end, or none at all.
std::string with_figures(const std::string& page, const std::string& name, const config::ExperimentPlan& plan,
                         const Totals& totals);

}  // namespace warpfork::experiment
