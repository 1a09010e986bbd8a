// How set and setp combine a comparison with a predicate (PTX ISA, "setp"): the bits of their Instruction::immediate.
#pragma once

#include <cstdint>

namespace warpfork::simt {

struct CompareMode {
  static constexpr std::uint64_t kPlain = 0, kAnd = 1, kOr = 2, kXor = 4;
  static constexpr std::uint64_t kNegated = 8;  // of the third operand
  /// What set writes for true stands in the upper half.
  static constexpr unsigned kTrueShift = 32;
};

}  // namespace warpfork::simt
