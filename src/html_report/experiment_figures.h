// An experiment's figures as a report draws them: ours, and the paper's where it gives numbers.
#pragma once

#include "report/json.h"

namespace warpfork::html_report {

/// Keys: `experiment`, `paper`, `scale`, `figures`. A figure has `name`, `title`, `claims` (as the experiment has them)
/// and `charts`: for each quantity its `title`, `categories` (benchmarks, and the mean if there is one) and `series`
/// (`name`, `values` by category; the paper's own numbers are a series "paper").
report::Json experiment_figures(const report::Json& experiment);

}  // namespace warpfork::html_report
