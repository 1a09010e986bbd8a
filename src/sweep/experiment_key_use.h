// Whether what an experiment sets makes a difference to what it is set for.
#pragma once

#include "config/experiment_plan.h"

namespace warpfork::sweep {

/// Throws Error, with the configuration or choice that says so, for a key of which no core, mechanism or lanes make any
/// use for which the plan sets it.
void require_key_use(const config::ExperimentPlan& plan);

}  // namespace warpfork::sweep
