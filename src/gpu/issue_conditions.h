// What besides its instruction a split needs in order to issue.
#pragma once

#include "gpu/compaction_timing.h"
#include "gpu/instruction_buffers.h"
#include "gpu/instruction_timings.h"
#include "gpu/outstanding_operations.h"
#include "gpu/register_hazards.h"

namespace warpfork::gpu {

/// Asks the units that hold warps back, in this order: the compaction unit, memory barriers, entries of the warp's
/// reconvergence table, atomics, the scoreboard.
class IssueConditions {
 public:
  IssueConditions(const CompactionTiming& compaction, const OutstandingOperations& operations,
                  const RegisterHazards& registers, const CoreSpec& spec)
      : compaction_(compaction),
        operations_(operations),
        registers_(registers),
        timings_(spec.execution, spec.warp_size) {}

  /// Of the split in this warp's place and the instruction at its pc.
  EntryState of(unsigned warp, const WarpSplit& split, const simt::Instruction& instruction) const {
    if (compaction_.forms(warp)) return EntryState::Forming;
    if (operations_.holds_back(warp)) {
      if (operations_.at_memory_barrier(warp)) return EntryState::Suspended;
      return operations_.waits_for_table_entry(warp) ? EntryState::TableMiss : EntryState::BlockedMemory;
    }
    switch (registers_.hazard(warp, split)) {
      case Scoreboard::Hazard::Memory:
        return EntryState::BlockedMemory;
      case Scoreboard::Hazard::Register:
        return EntryState::BlockedRegister;
      case Scoreboard::Hazard::Full:
        return EntryState::ScoreboardFull;
      case Scoreboard::Hazard::None:
        break;
    }
    return ready(instruction);
  }
  /// Whether of() may be another state than ready(): a quick no.
  bool may_hold_up(unsigned warp, const WarpSplit& split) const {
    return compaction_.forms(warp) || operations_.holds_back(warp) || registers_.may_hold_up(warp, split);
  }
  /// Where nothing holds up the instruction.
  EntryState ready(const simt::Instruction& instruction) const {
    return kReadyStates[static_cast<unsigned>(timings_.of(instruction.timing).port)];
  }

  const InstructionTimings& timings() const { return timings_; }

 private:
  const CompactionTiming& compaction_;
  const OutstandingOperations& operations_;
  const RegisterHazards& registers_;
  InstructionTimings timings_;
};

}  // namespace warpfork::gpu
