// The simulated machine as the commands see it: everything the command line needs of the rooms gpu and cuda.
#pragma once

#include <compare>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "config/description.h"
#include "cuda/device_description.h"
#include "cuda/launch_sink.h"
#include "report/result_document.h"
#include "simulation/work_options.h"

namespace warpfork::simulation {

/// The machine files that come with warpfork, by name.
std::vector<std::string> machine_names();

/// Its description by name, or of a file if `machine` ends in .toml. Throws Error with the known names.
report::Json machine_description(const std::string& machine);
/// Every key of it with value and doc.
std::vector<config::Key> machine_keys(const std::string& machine);

/// The request to simulate, in the form that make_simulation() and the runtime library read: the machine with --set,
/// --scheduler and the mechanisms applied, and how to run. Throws Error for a machine that
/// cannot be.
report::Json simulation_request(const WorkOptions& options, const MechanismChoice& mechanisms);

/// What decides which keys of a machine make a difference to it, by name.
struct KeyUsers {
  std::string divergence, lanes, scheduler, predictor;
  bool predictor_has_table = false;  // of some entries, not of all branches
  bool scalarizes = false;
  bool sets_registers = false;  // per thread: what allocation finds, of scalar ones too, does not count
  auto operator<=>(const KeyUsers&) const = default;
};

/// Of the options' machine, with what is chosen.
KeyUsers key_users(const WorkOptions& options, const MechanismChoice& chosen);
/// Of a machine as simulation_request() has it.
KeyUsers key_users(const report::Json& machine);

/// What a CUDA program is told about the machine of a request.
cuda::DeviceDescription device_description(const report::Json& simulation);

/// The simulated machine of a request. A launch ends by an Error when a signal has come that is held back
/// (process::DeferredSignals).
std::unique_ptr<cuda::LaunchSink> make_simulation(const report::Json& simulation);

}  // namespace warpfork::simulation
