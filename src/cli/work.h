// One run of the work that the command line names, under one divergence mechanism.
#pragma once

#include <string>

#include "cli/outcome.h"
#include "cli/work_options.h"

namespace warpfork::cli {

/// The outcome and its result document.
struct Work {
  Outcome outcome;
  report::Json document;
  double host_seconds = 0;
};

/// Runs it. `divergence` empty = as the machine says. Throws Error for whatever stops the run.
Work do_work(const WorkOptions& options, const std::string& divergence, bool capture_output);

/// Writes `text` to the file, or to standard output for "-". Throws Error with the system's reason.
void write_text(const std::string& file, const std::string& text);

}  // namespace warpfork::cli
