// What one thread of a recorded program did, instruction by instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "x86/instruction.h"
#include "x86/sync_event.h"

namespace warpfork::x86 {

/// One executed instruction. A stream writes over it: its vectors' memory is used again.
struct DynamicInstruction {
  const StaticInstruction* instruction = nullptr;
  std::uint64_t next_pc = 0;  ///< where the thread went on; 0 after its last instruction
  /// One per access of the instruction, in its order, 0 where it was not made; of one that repeats: once per iteration.
  /// A long repetition comes as several executions, all but the last with the instruction itself as next_pc.
  std::vector<std::uint64_t> addresses;
  std::vector<SyncEvent> events;  ///< what happened between the instruction before and this one
  bool before_gap = false;        ///< behind it the thread was not recorded, until it came to next_pc
  std::uint32_t depth = 0;        ///< of the calls that it is in
  std::uint32_t next_depth = 0;   ///< where the thread goes on

  bool taken() const { return next_pc != instruction->fall_through(); }
};

class InstructionStream {
 public:
  virtual ~InstructionStream() = default;
  /// False at the thread's end; `instruction.events` is then what happened after the last instruction, and its
  /// `instruction` null. Throws Error, with the place in the file, where the recording is damaged.
  virtual bool next(DynamicInstruction& instruction) = 0;
  /// Passes over instructions that go on at the one behind them and have no events, for who only looks for others.
  /// Returns how many.
  virtual std::size_t pass_over() { return 0; }
};

}  // namespace warpfork::x86
