// Which clang it is that `warpfork cc` calls.
#pragma once

#include <filesystem>
#include <string>

#include "process/deferred_signals.h"

namespace warpfork::compiler {

/// 14 of "14.0.6"; 0 if the compiler does not say. What it says goes through a file in the folder.
unsigned clang_version(const std::string& compiler, const std::filesystem::path& folder,
                       const process::DeferredSignals& signals);

/// The first line of what the compiler says of itself: "Debian clang version 14.0.6"; empty if it says nothing.
std::string clang_name(const std::string& compiler, const std::filesystem::path& folder,
                       const process::DeferredSignals& signals);

}  // namespace warpfork::compiler
