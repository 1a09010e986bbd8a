// The blocks of a recording: what the tokens of its threads refer to.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "x86/code.h"

namespace warpfork::x86 {

/// Straight code that ran whole, or up to where the next block goes on.
struct RecordedBlock {
  std::uint64_t pc = 0;
  std::uint32_t first_slot = 0;  ///< its instructions' numbers among all blocks' as the recorder listed them
  std::uint32_t listed = 0;      ///< so many
  std::uint32_t count = 0;       ///< instructions
  std::size_t first = 0;         ///< of them in the list of all
};

class RecordedCode {
 public:
  /// Throws Error, which names `what`, if the bytes are no list of blocks or hold what is no instruction.
  RecordedCode(std::span<const std::uint8_t> bytes, const std::string& what);

  const Code& code() const { return code_; }
  std::size_t blocks() const { return blocks_.size(); }
  const RecordedBlock& block(std::uint32_t number) const { return blocks_[number]; }
  std::span<const StaticInstruction* const> instructions(const RecordedBlock& block) const {
    return {instructions_.data() + block.first, block.count};
  }
  std::uint32_t slots() const { return slots_; }

 private:
  void add_block(std::uint64_t pc, std::uint32_t listed, std::span<const std::uint8_t> text, const std::string& what);

  Code code_;
  std::vector<RecordedBlock> blocks_;
  std::vector<const StaticInstruction*> instructions_;
  std::uint32_t slots_ = 0;
};

/// Calls visit(pc, bytes) for each instruction in such bytes, as often as there are blocks with it; a last one may be
/// cut off.
void for_each_instruction(std::span<const std::uint8_t> bytes, const std::string& what,
                          const std::function<void(std::uint64_t, std::span<const std::uint8_t>)>& visit);

/// Addresses of all instructions in such bytes, sorted, each once.
std::vector<std::uint64_t> instruction_addresses(std::span<const std::uint8_t> bytes, const std::string& what);

}  // namespace warpfork::x86
