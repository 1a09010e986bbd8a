// The directory of a recording as bytes, and the header that leads to it.
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

/// Of a file of so many bytes, of which the directory is there.
RecordingHeader header_of(const SectionEntry& directory, std::uint64_t file_bytes);
/// Of what comes before it in the header.
std::uint64_t checksum_of(const RecordingHeader& header);

}  // namespace warpfork::x86
