// The registers that hold up a warp instruction while they are being written.
#pragma once

#include <algorithm>

#include "simt/program.h"

namespace warpfork::gpu {

/// Calls `visit` with each register that the instruction reads, writes or is guarded by.
template <class Visit>
void for_each_touched(const simt::Instruction& instruction, Visit&& visit) {
  std::for_each_n(instruction.sources.begin(), instruction.source_count, visit);
  std::for_each_n(instruction.destinations.begin(), instruction.destination_count, visit);
  if (instruction.guard_register != simt::Instruction::kNoPredicate) visit(instruction.guard_register);
}

}  // namespace warpfork::gpu
