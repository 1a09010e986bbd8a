#include "simulation/work.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "cuda/kernel_filter.h"
#include "process/install_paths.h"
#include "process/version.h"
#include "report/kernel_name.h"
#include "simulation/bare_kernel.h"
#include "simulation/simulation.h"

namespace warpfork::simulation {

namespace {

process::Outcome run(const WorkOptions& options, const report::Json& simulation, process::GuestOutput output) {
  if (!options.is_bare_kernel())
    return process::run_guest_program({options.program, options.arguments, process::library_folder(),
                                       device_description(simulation), simulation, output});
  const auto simulated = make_simulation(simulation);
  return run_bare_kernel(options.program, options.launch, *simulated,
                         device_description(simulation).global_memory_bytes);
}

/// A name that was mistyped must not pass for a run in which nothing took time.
void require_match(const std::string& kernels, const report::Json& launches) {
  if (kernels.empty()) return;
  const cuda::KernelFilter filter(kernels);
  std::vector<std::string> launched;
  for (const report::Json& launch : launches) {
    const std::string name = launch["name"];
    if (filter.matches(name)) return;
    const std::string readable = report::readable_kernel_name(name);
    if (std::find(launched.begin(), launched.end(), readable) == launched.end()) launched.push_back(readable);
  }
  throw Error("--kernels '{}': no such kernel was launched; no result is written\n  launched: {}", kernels,
              launched.empty() ? "none" : fmt::format("{}", fmt::join(launched, ", ")));
}

}  // namespace

Work do_work(const WorkOptions& options, const MechanismChoice& mechanisms, process::GuestOutput output) {
  const report::Json simulation = simulation_request(options, mechanisms);
  const auto start = std::chrono::steady_clock::now();
  Work work;
  work.outcome = run(options, simulation, output);
  require_match(options.kernels, work.outcome.launches);
  work.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  work.document =
      report::result_document(process::tool(), simulation.at("machine"), work.outcome.program, work.outcome.launches);
  return work;
}

}  // namespace warpfork::simulation
