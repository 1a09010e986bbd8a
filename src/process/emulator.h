// The emulator under which programs are recorded: QEMU's qemu-x86_64.
#pragma once

#include <filesystem>
#include <string>

#include "process/deferred_signals.h"

namespace warpfork::process {

/// Full path of the emulator on PATH. What it says goes into a file in `scratch`. Throws Error if there is none, or if
/// it was built without plugins, of which the recorder is one.
std::string find_emulator(const std::filesystem::path& scratch, const DeferredSignals& signals);

}  // namespace warpfork::process
