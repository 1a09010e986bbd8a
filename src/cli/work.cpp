#include "cli/work.h"

#include <chrono>

#include "cli/bare_kernel.h"
#include "cli/install_paths.h"
#include "cli/simulation.h"
#include "cli/version.h"

namespace warpfork::cli {

namespace {

Outcome run(const WorkOptions& options, const report::Json& simulation, GuestOutput output) {
  if (!options.is_bare_kernel())
    return run_guest_program(
        {options.program, options.arguments, library_folder(), device_description(simulation), simulation, output});
  const auto simulated = make_simulation(simulation);
  return run_bare_kernel(options.program, options.launch, *simulated,
                         device_description(simulation).global_memory_bytes);
}

}  // namespace

Work do_work(const WorkOptions& options, const std::string& divergence, GuestOutput output) {
  const report::Json simulation = simulation_request(options, divergence);
  const auto start = std::chrono::steady_clock::now();
  Work work;
  work.outcome = run(options, simulation, output);
  work.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  work.document =
      report::result_document(tool(), simulation.at("machine"), work.outcome.program, work.outcome.launches);
  return work;
}

}  // namespace warpfork::cli
