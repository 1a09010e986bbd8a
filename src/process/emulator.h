// The emulator under which programs are recorded: QEMU's qemu-x86_64.
#pragma once

#include <string>

#include "process/deferred_signals.h"

namespace warpfork::process {

/// Full path of the emulator on PATH. Throws Error if there is none, or if it was built without plugins, of which the
/// recorder is one.
std::string find_emulator(const DeferredSignals& signals);

}  // namespace warpfork::process
