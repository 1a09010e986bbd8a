// A recorded thread, instruction by instruction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "x86/call_depth.h"
#include "x86/execution_reader.h"
#include "x86/instruction_stream.h"

namespace warpfork::x86 {

/// Undoes what the emulator does differently from a processor: its blocks may end before their end, and it runs a
/// repeated string instruction once per iteration. Needs the memory of one frame, whatever the recording's length.
class RecordedThread final : public InstructionStream {
 public:
  /// A repetition of more iterations comes as several executions of its instruction, as after interrupts.
  static constexpr unsigned kMaxIterations = 4096;

  /// `file` and `code` must outlive the stream.
  RecordedThread(const RecordingFile& file, const RecordedCode& code, std::uint32_t thread);

  bool next(DynamicInstruction& instruction) override;
  std::size_t pass_over() override;

 private:
  bool advance();
  std::uint32_t executed_count() const;
  void take_pieces(const StaticInstruction& instruction, std::uint32_t number, std::vector<std::uint64_t>& addresses);
  void take_repetitions(const StaticInstruction& instruction, std::vector<std::uint64_t>& addresses);
  bool is_repeated(const StaticInstruction& instruction) const;
  void follow_calls(const StaticInstruction& executed, const std::vector<std::uint64_t>& addresses);

  const RecordedCode& code_;
  ExecutionReader reader_;
  ExecutedBlock current_, following_;
  bool has_following_ = false;
  std::span<const StaticInstruction* const> instructions_;  // of the current block, as many as were executed
  std::uint32_t number_ = 0;                                // of the next of them
  std::size_t piece_ = 0;                                   // its first piece in the block's accesses
  std::vector<SyncEvent> events_;
  CallDepth calls_;
  bool jumped_ = false;  // by what may have been a longjmp, and nothing has told of the stack pointer since
};

}  // namespace warpfork::x86
