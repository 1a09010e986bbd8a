// One run of the work that the command line names, under one choice of mechanisms.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "process/guest_program.h"
#include "process/outcome.h"
#include "simulation/run_energy.h"
#include "simulation/work_options.h"

namespace warpfork::simulation {

struct Work {
  process::Outcome outcome;
  report::Json machine;  // on which it ran, in the form of the result document
  double host_seconds = 0;
  std::optional<RunEnergy> energy;  // where it was asked for

  /// The result document.
  report::Json document() const;
};

/// Runs it. `output`: of a program. Throws Error for whatever stops the run.
Work do_work(const WorkOptions& options, const MechanismChoice& mechanisms, process::GuestOutput output);

}  // namespace warpfork::simulation
