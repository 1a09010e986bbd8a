// The seam between the CUDA runtime and the simulated machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/types.h"
#include "report/launch_record.h"
#include "simt/code_options.h"
#include "simt/launch.h"

namespace warpfork::cuda {

/// What one launch cost.
struct LaunchOutcome {
  Cycle cycles = 0;  // core clock cycles; cudaEventElapsedTime counts them
  report::LaunchRecord record;
};

/// How many thread blocks of a kernel a core holds at a time, and what there would have to be more of for another one,
/// as report::OccupancyCount names it.
struct Residency {
  unsigned blocks = 0;
  std::vector<std::string> limited_by;

  /// Whether not even one fits because of the registers that are allocated to its threads.
  bool lacks_registers() const { return blocks == 0 && std::ranges::find(limited_by, "registers") != limited_by.end(); }
};

/// Executes kernel launches, one after the other. Implemented over the simulated GPU, and by a fake in the tests.
class LaunchSink {
 public:
  virtual ~LaunchSink() = default;

  /// Runs the grid to its end, or until it is cut off: nothing may be run then any more. Afterwards device memory holds
  /// its results. Throws Error if the kernel fails.
  virtual LaunchOutcome run(const simt::Launch& launch) = 0;

  /// What code must be like that is to be run here.
  virtual simt::CodeOptions code_options() const { return {}; }

  /// Whether launches want to know which bytes of device memory were written.
  virtual bool watches_memory() const { return false; }

  /// Of blocks of `threads` threads of this kernel; 0 if not even one fits.
  virtual Residency residency(const simt::Program& program, unsigned threads,
                              std::uint32_t dynamic_shared_bytes) const = 0;

  /// A copy from the host put these bytes into device memory: they may lie in a cache.
  virtual void copied_from_host(std::uint64_t address, std::uint64_t bytes) = 0;
};

}  // namespace warpfork::cuda
