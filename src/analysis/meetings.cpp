#include "analysis/meetings.h"

namespace warpfork::analysis {

bool waits_at_barrier(const ptx::Instruction& instruction) {
  const bool is_barrier = instruction.opcode == ptx::Opcode::Bar || instruction.opcode == ptx::Opcode::Barrier;
  return is_barrier && !instruction.has(ptx::Modifier::Arrive);
}

bool waits_for_block(const ptx::Instruction& instruction) {
  const std::size_t least = instruction.has(ptx::Modifier::Red) ? 3 : 1;
  return waits_at_barrier(instruction) && !instruction.has(ptx::Modifier::Warp) && instruction.operands.size() <= least;
}

bool is_meeting(const ptx::Instruction& instruction) {
  return waits_at_barrier(instruction) || instruction.has(ptx::Modifier::Sync);
}

bool reads_other_lanes(const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case ptx::Opcode::Shfl:
    case ptx::Opcode::Vote:
    case ptx::Opcode::Match:
    case ptx::Opcode::Activemask:
    case ptx::Opcode::Redux:
    case ptx::Opcode::Elect:
      return true;
    default:
      return instruction.has(ptx::Modifier::Warp);  // bar.warp.sync
  }
}

bool names_threads(const ptx::Instruction& instruction) {
  return instruction.has(ptx::Modifier::Sync) && reads_other_lanes(instruction);
}

bool reads_of_others(const ptx::Instruction& instruction) {
  using ptx::Modifier;
  if (instruction.opcode == ptx::Opcode::Atom) return true;
  return instruction.opcode == ptx::Opcode::Ld &&
         (instruction.has(Modifier::Volatile) || instruction.has(Modifier::Relaxed) ||
          instruction.has(Modifier::Acquire));
}

}  // namespace warpfork::analysis
