// An executable CUDA program, run unmodified with warpfork's runtime library ahead on its library path.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
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

/// The program died of a signal.
class EndedBySignal final : public Error {
 public:
  EndedBySignal(const std::string& program, int signal);
  int signal() const { return signal_; }

 private:
  int signal_;
};

/// Starts the program, waits for its end and collects what it launched. Throws Error if it cannot be started, never
/// used the runtime library, or ended so that its launches are not all known or not all right: EndedBySignal if it
/// died.
Outcome run_guest_program(const GuestOptions& options);

/// How to see the lines of PTX that a report of the program's launches names.
std::string where_ptx_lines_are(const std::string& program);

}  // namespace warpfork::process
