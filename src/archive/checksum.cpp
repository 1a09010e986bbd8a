#include "archive/checksum.h"

#include <lzma.h>

namespace warpfork::archive {

std::uint64_t checksum(std::span<const std::uint8_t> bytes) { return lzma_crc64(bytes.data(), bytes.size(), 0); }

}  // namespace warpfork::archive
