// What besides its instruction a split needs in order to issue.
#pragma once

#include <array>
#include <vector>

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

  void begin_kernel(const simt::Program& program) {
    ready_.clear();
    for (const simt::Instruction& instruction : program.code)
      ready_.push_back(kReadyStates[static_cast<unsigned>(timings_.of(instruction.timing).port)]);
  }

  /// Of the split in this warp's place and the instruction at its pc.
  EntryState of(unsigned warp, const WarpSplit& split) const {
    if (compaction_.forms(warp)) return EntryState::Forming;
    if (operations_.holds_back(warp)) return held_back(warp);
    return after(registers_.hazard(warp, split), split);
  }
  /// Of an entry whose next instruction is decoded: what the signs of its registers say, without a branch…
  unsigned signs(const InstructionBufferEntry& entry) const { return registers_.signs(entry.warp, entry.buffer_pc); }
  EntryState by(unsigned signs, const InstructionBufferEntry& entry) const {
    const EntryState ready = ready_[entry.buffer_pc], held_up = kHeldUp[signs];
    return signs == 0 ? ready : held_up;
  }
  /// …and whether that is what of() says of its split, if it is there.
  bool tell_all(unsigned signs, const InstructionBufferEntry& entry) const {
    return registers_.tell_all(signs) && !compaction_.forms(entry.warp) && !operations_.holds_back(entry.warp) &&
           !entry.split->compacted();
  }

  const InstructionTimings& timings() const { return timings_; }

 private:
  /// By signs, but for none.
  static constexpr std::array<EntryState, RegisterHazards::kSigns> kHeldUp = [] {
    std::array<EntryState, RegisterHazards::kSigns> states{};
    for (unsigned signs = 1; signs < states.size(); ++signs)
      states[signs] = (signs & Scoreboard::kPendingByMemory) != 0 ? EntryState::BlockedMemory
                      : (signs & Scoreboard::kPending) != 0       ? EntryState::BlockedRegister
                      : (signs & Scoreboard::kFull) != 0          ? EntryState::ScoreboardFull
                                                                  : EntryState::BlockedRead;
    return states;
  }();
  /// Where that is all that may hold up the split's instruction.
  EntryState after(Scoreboard::Hazard hazard, const WarpSplit& split) const {
    switch (hazard) {
      case Scoreboard::Hazard::Memory:
        return EntryState::BlockedMemory;
      case Scoreboard::Hazard::Register:
        return EntryState::BlockedRegister;
      case Scoreboard::Hazard::Full:
        return EntryState::ScoreboardFull;
      case Scoreboard::Hazard::Read:
        return EntryState::BlockedRead;
      case Scoreboard::Hazard::None:
        break;
    }
    return ready_[split.pc];
  }
  EntryState held_back(unsigned warp) const {
    if (operations_.at_memory_barrier(warp)) return EntryState::Suspended;
    return operations_.waits_for_table_entry(warp) ? EntryState::TableMiss : EntryState::BlockedMemory;
  }

  const CompactionTiming& compaction_;
  const OutstandingOperations& operations_;
  const RegisterHazards& registers_;
  InstructionTimings timings_;
  std::vector<EntryState> ready_;  // by pc: where nothing holds up the instruction
};

}  // namespace warpfork::gpu
