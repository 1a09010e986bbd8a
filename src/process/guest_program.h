// An executable CUDA program, run unmodified with warpfork's runtime library ahead on its library path.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cuda/device_description.h"
#include "process/outcome.h"

namespace warpfork::process {

/// Where a program's standard output goes.
enum class GuestOutput : std::uint8_t { Standard, Captured, StandardError };

struct GuestOptions {
  std::string program;  // looked for as a shell does
  std::vector<std::string> arguments;
  std::filesystem::path library_folder;  // of our CUDA runtime libraries
  cuda::DeviceDescription device;        // what the program is told
  report::Json simulation;               // see simulation_request()
  GuestOutput output = GuestOutput::Standard;
};

/// Starts the program, waits for its end and collects what it launched. Throws Error if it cannot be started, never
/// used the runtime library, or ended so that its launches are not all known or not all right.
Outcome run_guest_program(const GuestOptions& options);

}  // namespace warpfork::process
