// Where the fragments of a product of matrices lie (PTX ISA, "mma"): more rows than Instruction::operand has room for.
#pragma once

#include <array>
#include <cstdint>

#include "simt/program.h"

namespace warpfork::simt {

/// The rows of D, A, B and C, one behind the other, by number: two in each Instruction::operand, and four in
/// Instruction::immediate.
struct MatrixRows {
  static constexpr std::uint32_t kRow = 128;  // bytes of 32 lanes of 32 bits: all rows lie at multiples of it
  static constexpr unsigned kInOperands = 10, kMost = kInOperands + 4;
  static constexpr std::uint32_t kNumbers = 1u << 16;

  static void put(Instruction& instruction, unsigned index, std::uint32_t number) {
    if (index < kInOperands)
      instruction.operand[index / 2] |= number << index % 2 * 16;
    else
      instruction.immediate |= std::uint64_t{number} << (index - kInOperands) * 16;
  }
  /// Byte offset of a row.
  static std::uint32_t offset(const Instruction& instruction, unsigned index) {
    const std::uint64_t word = index < kInOperands ? instruction.operand[index / 2] >> index % 2 * 16
                                                   : instruction.immediate >> (index - kInOperands) * 16;
    return static_cast<std::uint32_t>(word % kNumbers) * kRow;
  }
};

}  // namespace warpfork::simt
