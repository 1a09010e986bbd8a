// Programs that a test starts.
#pragma once

#include <string>
#include <vector>

#include "process/child_process.h"
#include "process/deferred_signals.h"

namespace warpfork {

/// Runs words[0], looked for as a shell does, with our environment and standard streams. Returns its exit status;
/// 128 + number if a signal ended it.
inline int run_program(const std::vector<std::string>& words) {
  const process::DeferredSignals signals;
  return process::run_child({words[0], {words.begin() + 1, words.end()}, {}, {}}, signals).status;
}

}  // namespace warpfork
