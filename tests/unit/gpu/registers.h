// Bare decoded instructions for tests of units that look only at register numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simt/program.h"

namespace warpfork::gpu {

/// An instruction without a handler that writes and reads these registers.
inline simt::Instruction with_registers(const std::vector<std::uint16_t>& writes,
                                        const std::vector<std::uint16_t>& reads) {
  simt::Instruction instruction;
  instruction.destination_count = static_cast<std::uint8_t>(writes.size());
  instruction.source_count = static_cast<std::uint8_t>(reads.size());
  std::copy(writes.begin(), writes.end(), instruction.destinations.begin());
  std::copy(reads.begin(), reads.end(), instruction.sources.begin());
  return instruction;
}

}  // namespace warpfork::gpu
