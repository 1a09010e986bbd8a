// A kernel in PTX text, launched as a launch file says.
#pragma once

#include <string>
#include <vector>

#include "config/launch_file.h"
#include "cuda/launch_sink.h"
#include "process/guest_program.h"
#include "process/outcome.h"
#include "ptx/module.h"

namespace warpfork::simulation {

/// The parameter buffer of `kernel` from the launch file's arguments; `addresses` are those of its buffers, in order.
/// Throws Error if number or size of the arguments do not fit the kernel's parameters.
std::vector<std::byte> parameter_buffer(const ptx::Function& kernel, const config::LaunchFile& launch,
                                        std::span<const std::uint64_t> addresses);

/// Those that the launch leaves the contents of its buffers in.
std::vector<std::string> output_files(const config::LaunchFile& launch);

/// Runs the kernel of `ptx_file`, writes the output files that the launch file names and compares the buffers of which
/// it states the contents. WARP_SZ in the file is `warp_size`. Throws Error for anything that stops the run; what a
/// kernel that fails has printed until then goes to `output`, or is lost where that is to be captured.
process::Outcome run_bare_kernel(const std::string& ptx_file, const std::string& launch_file,
                                 cuda::LaunchSink& simulation, std::uint64_t device_memory_bytes,
                                 unsigned warp_size = 32, process::GuestOutput output = process::GuestOutput::Captured);

}  // namespace warpfork::simulation
