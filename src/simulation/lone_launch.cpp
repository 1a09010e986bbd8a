#include "simulation/lone_launch.h"

#include <iostream>
#include <utility>

#include "base/error.h"

namespace warpfork::simulation {

bool run_lone_launch(simt::Launch& launch, cuda::LaunchSink& simulation, process::GuestOutput output,
                     process::Outcome& outcome) {
  launch.printed = &outcome.output;
  cuda::LaunchOutcome end;
  try {
    end = simulation.run(launch);
  } catch (const Error&) {
    if (output != process::GuestOutput::Captured)
      (output == process::GuestOutput::Standard ? std::cout : std::cerr) << outcome.output << std::flush;
    throw;
  }
  const std::string cut_off = end.record.cut_off;
  outcome.launches.push_back(std::move(end.record));
  outcome.kernels_printed = !outcome.output.empty();
  if (cut_off.empty()) return true;
  outcome.status = 1;
  outcome.complaints.push_back(cut_off);
  return false;
}

}  // namespace warpfork::simulation
