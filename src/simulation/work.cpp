#include "simulation/work.h"

#include <chrono>

#include "base/error.h"
#include "base/text.h"
#include "process/install_paths.h"
#include "process/version.h"
#include "simulation/bare_kernel.h"
#include "simulation/kernel_launches.h"
#include "simulation/saved_launch.h"
#include "simulation/simulation.h"

namespace warpfork::simulation {

namespace {

process::Outcome run(const WorkOptions& options, const report::Json& simulation, process::GuestOutput output) {
  if (!options.is_one_launch())
    return process::run_guest_program({options.program, options.arguments, process::library_folder(),
                                       device_description(simulation), simulation, output});
  const auto simulated = make_simulation(simulation);
  const cuda::DeviceDescription device = device_description(simulation);
  const auto warp_size = static_cast<unsigned>(device.warp_size);
  if (options.is_saved_launch())
    return run_saved_launch(options.program, *simulated, device.global_memory_bytes, warp_size, output);
  return run_bare_kernel(options.program, options.launch, *simulated, device.global_memory_bytes, warp_size, output);
}

/// The launch that is to be saved is there even if a later one fails, or itself.
process::Outcome run_and_save(WorkOptions options, report::Json simulation, process::GuestOutput output) {
  const std::uint64_t number = options.save.launch;
  SavedLaunchOutput saved(options);
  simulation["save"] = cuda::to_json(options.save);
  process::Outcome outcome;
  try {
    outcome = run(options, simulation, output);
  } catch (const Error&) {
    saved.keep();
    throw;
  }
  if (!saved.keep())
    throw Error("--save-launch {}: the program made {}; none is saved", number,
                counted(outcome.launches.size(), "launch"));
  return outcome;
}

}  // namespace

report::Json Work::document() const {
  report::Json document = report::result_document(process::tool(), machine, outcome.program, outcome.launches);
  if (energy) energy->add_to(document);
  return document;
}

Work do_work(const WorkOptions& options, const MechanismChoice& mechanisms, process::GuestOutput output) {
  const report::Json simulation = simulation_request(options, mechanisms);
  if (options.energy) const RunEnergy possible(simulation.at("machine"), {});  // throws before any program is started
  const auto start = std::chrono::steady_clock::now();
  Work work;
  work.outcome = run_and_save(options, simulation, output);
  require_launch(work.outcome.launches.size(), options.launches);
  if (!options.kernels.empty()) launches_of_kernels(work.outcome.launches, options.kernels, "--kernels");
  work.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  work.machine = simulation.at("machine");
  if (options.energy) work.energy.emplace(work.machine, work.outcome.launches);
  return work;
}

}  // namespace warpfork::simulation
