// CRC-64 as the xz file format has it: the checksum of our files.
#pragma once

#include <cstdint>
#include <span>

namespace warpfork::archive {

/// Of "123456789": 0x995dc9bbdf1939fa.
std::uint64_t checksum(std::span<const std::uint8_t> bytes);

}  // namespace warpfork::archive
