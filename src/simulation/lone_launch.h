// A launch that no program makes.
#pragma once

#include "cuda/launch_sink.h"
#include "process/guest_program.h"
#include "process/outcome.h"
#include "simt/launch.h"

namespace warpfork::simulation {

/// Runs it and puts into `outcome` what it cost and printed. False if it was cut off: what memory holds is of no use
/// then. What a kernel that fails has printed until then goes to `output`, or is lost where that is to be captured;
/// throws what stopped it.
bool run_lone_launch(simt::Launch& launch, cuda::LaunchSink& simulation, process::GuestOutput output,
                     process::Outcome& outcome);

}  // namespace warpfork::simulation
