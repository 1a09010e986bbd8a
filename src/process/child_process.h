// A child process with its own environment, waited for.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "process/deferred_signals.h"

namespace warpfork::process {

struct ChildCommand {
  std::string program;  // looked for as a shell does
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;  // set in the child, besides our own
  std::optional<std::filesystem::path> output;                   // a file for its standard output
  std::optional<std::filesystem::path> errors = {};              // likewise for its standard error
  bool output_to_error = false;                                  // its standard output goes where its errors go
};

struct ChildEnd {
  int status = 0;  // exit status; 128 + signal if a signal ended it, as a shell has it
  int signal = 0;
};

/// Of what waitpid() gave for a process that has ended.
ChildEnd end_of(int status);

/// Starts the command and returns its process, which is the caller's to wait for; it is killed when the thread that
/// started it ends, in whatever way. Throws Error if it cannot be started.
pid_t start_child(const ChildCommand& command, const DeferredSignals& signals);

/// Runs the command to its end; it is killed if we are. A signal of `signals` that comes meanwhile is the child's
/// affair: it is passed on, and if the child dies of it, so do we when `signals` goes. Throws Error if it cannot be
/// started.
ChildEnd run_child(const ChildCommand& command, const DeferredSignals& signals);

}  // namespace warpfork::process
