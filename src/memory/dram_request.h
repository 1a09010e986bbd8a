// What an L2 slice asks of its DRAM channel.
#pragma once

#include <cstdint>

namespace warpfork::memory {

/// A read of one sector or the write-back of a line's dirty sectors.
struct DramRequest {
  std::uint32_t row = 0;
  std::uint32_t bytes = 0;  // rounded up to whole bursts
  std::uint8_t bank = 0;
  bool write = false;
  std::uint8_t slice = 0;  // who asked
  std::uint32_t tag = 0;   // the asker's own mark, returned with the data of a read
};

}  // namespace warpfork::memory
