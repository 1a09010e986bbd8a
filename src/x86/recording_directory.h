// The directory of a recording as bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "x86/recording_format.h"

namespace warpfork::x86 {

std::vector<std::uint8_t> to_bytes(const RecordingDirectory& directory);

/// Throws Error, which names `what`, if the bytes are no directory.
RecordingDirectory directory_from(std::span<const std::uint8_t> bytes, const std::string& what);

}  // namespace warpfork::x86
