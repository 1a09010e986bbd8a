#include "simulation/work.h"

#include <chrono>

#include "base/error.h"
#include "process/install_paths.h"
#include "process/version.h"
#include "simulation/bare_kernel.h"
#include "simulation/kernel_launches.h"
#include "simulation/simulation.h"

namespace warpfork::simulation {

namespace {

process::Outcome run(const WorkOptions& options, const report::Json& simulation, process::GuestOutput output) {
  if (!options.is_bare_kernel())
    return process::run_guest_program({options.program, options.arguments, process::library_folder(),
                                       device_description(simulation), simulation, output});
  const auto simulated = make_simulation(simulation);
  const cuda::DeviceDescription device = device_description(simulation);
  return run_bare_kernel(options.program, options.launch, *simulated, device.global_memory_bytes,
                         static_cast<unsigned>(device.warp_size), output);
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
  work.outcome = run(options, simulation, output);
  require_launch(work.outcome.launches.size(), options.launches);
  if (!options.kernels.empty()) launches_of_kernels(work.outcome.launches, options.kernels, "--kernels");
  work.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  work.machine = simulation.at("machine");
  if (options.energy) work.energy.emplace(work.machine, work.outcome.launches);
  return work;
}

}  // namespace warpfork::simulation
