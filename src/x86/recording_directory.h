// The directory of a recording as bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "x86/recording_format.h"

namespace warpfork::x86 {

std::vector<std::uint8_t> to_bytes(const RecordingDirectory& directory);

/// Throws Error, which names `what`, if the bytes are no directory of a file of that version.
RecordingDirectory directory_from(std::span<const std::uint8_t> bytes, std::uint32_t version, const std::string& what);

}  // namespace warpfork::x86
