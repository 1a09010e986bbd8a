// The text of a program: every instruction that was seen, decoded once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "x86/code_pool.h"
#include "x86/instruction.h"

namespace warpfork::x86 {

/// Owns the decoded instructions of one program; they and their spans stay where they are as long as it lives.
class Code {
 public:
  /// The instruction at `pc`, which is all of `bytes`; decoded at the first call. Throws Error with pc and bytes in hex
  /// where they are no instruction, one that is not supported (AVX-512), or differ from what was at `pc` before.
  const StaticInstruction& add(std::uint64_t pc, std::span<const std::uint8_t> bytes);

  /// Nullptr where no instruction was added: a wrong path may lead there. One probe of a hash table.
  const StaticInstruction* at(std::uint64_t pc) const {
    const Entry* const entry = find(pc);
    return entry == nullptr ? nullptr : &entry->instruction;
  }

  /// The machine code of an instruction of this object; empty where there is none.
  std::span<const std::uint8_t> bytes(std::uint64_t pc) const;

  std::size_t size() const { return entries_.size(); }

  /// Every instruction, by pc.
  std::vector<const StaticInstruction*> all() const;

 private:
  struct Entry {
    StaticInstruction instruction;
    std::array<std::uint8_t, 15> bytes{};
  };

  // Instructions are a few bytes apart: the product spreads neighbours, its upper bits choose the slot.
  std::size_t home(std::uint64_t pc) const { return (pc * 0x9e3779b97f4a7c15u) >> shift_; }
  const Entry* find(std::uint64_t pc) const {
    for (std::size_t slot = home(pc);; slot = (slot + 1) & (slots_.size() - 1))
      if (slots_[slot] == nullptr || slots_[slot]->instruction.pc == pc) return slots_[slot];
  }
  void enter(const Entry& entry);
  void grow();

  std::deque<Entry> entries_;
  std::vector<const Entry*> slots_ = std::vector<const Entry*>(1024);  // at most half full
  unsigned shift_ = 64 - 10;                                           // 64 - log2 of their number
  CodePool<Uop> uops_;
  CodePool<MemoryAccess> accesses_;
};

}  // namespace warpfork::x86
