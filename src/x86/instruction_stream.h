// What one thread of a recorded program did, instruction by instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "x86/instruction.h"
#include "x86/sync_event.h"

namespace warpfork::x86 {

/// One executed instruction. The spans are valid until the stream's next call.
struct DynamicInstruction {
  const StaticInstruction* instruction = nullptr;
  std::uint64_t next_pc = 0;  ///< where the thread went on; 0 after its last instruction
  /// One per access of the instruction, in its order, 0 where it was not made; of one that repeats: once per iteration.
  /// A long repetition comes as several executions, all but the last with the instruction itself as next_pc.
  std::span<const std::uint64_t> addresses;
  std::span<const SyncEvent> events;  ///< what happened between the instruction before and this one

  bool taken() const { return next_pc != instruction->fall_through(); }
};

/// An executed instruction that outlives its stream's next call.
struct KeptInstruction {
  const StaticInstruction* instruction = nullptr;  ///< nullptr: the thread's end
  std::uint64_t next_pc = 0;                       ///< 0 after the thread's last instruction
  std::vector<std::uint64_t> addresses;            ///< as DynamicInstruction::addresses
  std::vector<SyncEvent> events;                   ///< that come before the instruction

  void keep(const DynamicInstruction& executed) {
    instruction = executed.instruction;
    next_pc = executed.next_pc;
    copy(executed.addresses, addresses);
    copy(executed.events, events);
  }
  DynamicInstruction executed() const { return {instruction, next_pc, addresses, events}; }

 private:
  /// Most instructions have none: to know that costs less than to copy them.
  template <class T>
  static void copy(std::span<const T> from, std::vector<T>& to) {
    if (from.empty())
      to.clear();
    else
      to.assign(from.begin(), from.end());
  }
};

class InstructionStream {
 public:
  virtual ~InstructionStream() = default;
  /// False at the thread's end; `instruction.events` is then what happened after the last instruction. Throws Error,
  /// with the place in the file, where the recording is damaged.
  virtual bool next(DynamicInstruction& instruction) = 0;
  /// Passes over instructions that go on at the one behind them and have no events, for who only looks for others.
  /// Returns how many.
  virtual std::size_t pass_over() { return 0; }
};

}  // namespace warpfork::x86
