// SPDX-License-Identifier: GPL-2.0-or-later
// The guest's code as QEMU translated it, block by block.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "request.h"

namespace recorder {

enum class BlockEnd : std::uint8_t { Other, Call, Return };

/// A piece of straight code. QEMU runs it whole, but for its last instruction if that is a copy cut off at a page's
/// end.
struct Block {
  std::uint64_t pc = 0;
  std::uint32_t id = 0;
  std::uint32_t count = 0;       ///< instructions
  std::uint32_t first_slot = 0;  ///< of its instructions, which are numbered through all blocks
  bool is_iteration = false;     ///< a repeated string instruction alone, as QEMU runs all its iterations but the first
  bool is_special = false;       ///< ends in a call or return, or is a watched function's entry
  BlockEnd end = BlockEnd::Other;
  std::uint64_t end_pc = 0;
  const WatchedFunction* function = nullptr;  ///< of which it is the entry
};

/// What is told of an instruction's bytes when it is translated.
struct InstructionTraits {
  bool is_atomic = false;       ///< lock prefix, or xchg with memory
  bool is_global = false;       ///< the access is thread-local (fs, gs) or rip-relative
  bool is_long_double = false;  ///< loads or stores one, in 80 bits
  bool repeats = false;         ///< a string instruction with a prefix that repeats it
  BlockEnd end = BlockEnd::Other;
};
InstructionTraits traits(std::span<const std::uint8_t> bytes);

/// Instructions of one block, one after another, each as its length and its bytes.
using BlockText = std::vector<std::uint8_t>;

/// Every block once, whoever translates it how often. Blocks stay where they are.
class CodeTable {
 public:
  static constexpr std::uint32_t kMaxSlots = 1u << 24;

  explicit CodeTable(const Request& request) : request_(request) {}

  /// The block of these instructions at `pc`, or nullptr when the table is full.
  const Block* add(std::uint64_t pc, std::uint32_t count, BlockText text);
  std::uint32_t slots() const { return slots_; }

  /// Into a file: of each block pc (8 bytes), number of instructions (4), length of its text (4) and the text.
  bool write(const std::string& path) const;

 private:
  struct Entry {
    Block block;
    BlockText text;
  };
  void describe(Entry& entry) const;

  const Request& request_;
  std::mutex mutex_;
  std::deque<Entry> entries_;
  std::multimap<std::uint64_t, const Entry*> by_pc_;
  std::atomic<std::uint32_t> slots_ = 0;
};

}  // namespace recorder
