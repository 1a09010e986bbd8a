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

  Use operator[](Pc pc) const { return {piece(2 * pc), piece(2 * pc + 1)}; }

 private:
  std::span<const ptx::RegisterId> piece(std::size_t n) const {
    return std::span(ids_).subspan(first_[n], first_[n + 1] - first_[n]);
  }

  std::vector<ptx::RegisterId> ids_;  // what an instruction reads, then what it writes
  std::vector<std::uint32_t> first_;  // where each of these pieces begins, and the end of the last
};

/// Size of a register in 32-bit units: 0 for a predicate, 1 up to 32 bits, 2 for 64, 4 for 128.
unsigned register_units(ptx::ScalarType type);

}  // namespace warpfork::analysis
