// The registers from which a warp instruction reads operands.
#pragma once

#include <cstdint>
#include <span>

#include "simt/program.h"

namespace warpfork::gpu {

/// Calls `visit` with each source register, with one of those that share a number: it is read once. `numbers`: by
/// ptx::RegisterId.
template <class Visit>
void for_each_source(const simt::Instruction& instruction, std::span<const std::uint16_t> numbers, Visit&& visit) {
  for (unsigned i = 0; i < instruction.source_count; ++i) {
    bool again = false;
    for (unsigned j = 0; j < i; ++j) again |= numbers[instruction.sources[j]] == numbers[instruction.sources[i]];
    if (!again) visit(instruction.sources[i]);
  }
}

}  // namespace warpfork::gpu
