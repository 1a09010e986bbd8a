// A launch that --save-launch wrote to a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cuda/launch_sink.h"
#include "process/guest_program.h"
#include "process/outcome.h"
#include "process/output_file.h"
#include "simulation/work_options.h"

namespace warpfork::simulation {

/// Runs the launch of FILE.wfl with the device's memory as it was. WARP_SZ in its PTX is `warp_size`. Where output is
/// captured, all that memory then holds is among the outcome's buffers. Throws Error for anything that stops the run;
/// as for what is printed see run_lone_launch().
process::Outcome run_saved_launch(const std::string& file, cuda::LaunchSink& simulation,
                                  std::uint64_t device_memory_bytes, unsigned warp_size, process::GuestOutput output);

/// The file of --save-launch while a program runs: written beside it, it takes its name when it is whole, whether the
/// run ends well or not.
class SavedLaunchOutput {
 public:
  /// Nothing where `options` name no launch that is to be saved. Makes their request whole, of the file that is to be
  /// written. Throws Error if it cannot be.
  explicit SavedLaunchOutput(WorkOptions& options);
  /// Gives it its name if there is one. False if the program has not come to that launch.
  bool keep();

 private:
  std::optional<process::OutputFile> output_;
};

}  // namespace warpfork::simulation
