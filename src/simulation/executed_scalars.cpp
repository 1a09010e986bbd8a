#include "simulation/executed_scalars.h"

#include <iostream>

#include "simulation/work.h"

namespace warpfork::simulation {

std::map<std::string, ExecutedScalars> executed_scalars(WorkOptions work) {
  work.functional_only = true;
  work.overrides.push_back("core.register_allocation=off");
  const auto under = [&](const std::string& rule) {
    work.scalarize = rule;
    return do_work(work, {.divergence = "pdom", .lanes = "simt-scalar"}, process::GuestOutput::Captured).outcome;
  };
  const process::Outcome divergent = under("divergent"), convergent_only = under("convergent-only");
  for (const std::string& complaint : divergent.complaints) std::cerr << "warpfork: " << complaint << '\n';
  std::map<std::string, ExecutedScalars> kernels;
  for (const report::LaunchRecord& launch : divergent.launches) {
    ExecutedScalars& kernel = kernels[launch.name];
    kernel.warp_instructions += launch.warp_instructions;
    kernel.divergent += launch.scalars.warp_instructions;
  }
  for (const report::LaunchRecord& launch : convergent_only.launches)
    kernels[launch.name].convergent_only += launch.scalars.warp_instructions;
  return kernels;
}

}  // namespace warpfork::simulation
