// A short command whose output is read.
#pragma once

#include <chrono>
#include <string>

#include "process/child_process.h"

namespace warpfork::process {

struct CapturedRun {
  ChildEnd end;
  std::string output, errors;
  bool was_in_time = true;
};

/// Runs the command to its end; it is killed when `time` is over, or when one of the signals comes of which none had
/// come before. Throws Error if it cannot be started.
CapturedRun run_captured(ChildCommand command, const DeferredSignals& signals, std::chrono::milliseconds time);

}  // namespace warpfork::process
