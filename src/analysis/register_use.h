// What one PTX instruction reads and writes (PTX ISA, "Instruction Operands").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ptx/module.h"

namespace warpfork::analysis {

/// In operand order, duplicates kept. The guard is read; so is an address's base, wherever the address stands.
struct RegisterUse {
  std::vector<ptx::RegisterId> reads, writes;
};

RegisterUse registers_of(const ptx::Instruction& instruction);

/// The same of all instructions of a function, in one piece.
class RegisterUses {
 public:
  struct Use {
    std::span<const ptx::RegisterId> reads, writes;
  };

  explicit RegisterUses(const ptx::Function& function);

  Use operator[](Pc pc) const {
    const Entry& entry = entries_[pc];
    const std::span pieces = std::span(ids_).subspan(entry.first, entry.reads + entry.writes);
    return {pieces.first(entry.reads), pieces.last(entry.writes)};
  }
  bool is_guarded(Pc pc) const { return entries_[pc].is_guarded; }
  std::size_t size() const { return entries_.size(); }

  /// The instructions change places: at i stands the one that stood at order[i].
  void reorder(std::span<const Pc> order);

 private:
  struct Entry {
    std::uint32_t first = 0, reads = 0, writes = 0;  // in ids_, what it writes behind what it reads
    bool is_guarded = false;
  };

  std::vector<ptx::RegisterId> ids_;
  std::vector<Entry> entries_;  // by pc
};

/// Size of a register in 32-bit units: 0 for a predicate, 1 up to 32 bits, 2 for 64, 4 for 128.
unsigned register_units(ptx::ScalarType type);

}  // namespace warpfork::analysis
