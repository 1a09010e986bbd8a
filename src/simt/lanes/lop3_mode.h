// What Instruction::immediate means to lop3 (PTX ISA, "lop3").
#pragma once

#include <cstdint>

namespace warpfork::simt {

/// Bits 0 to 7 are the look-up table. Of the form with a predicate result also: whether the predicate it is combined
/// with is negated, and from kPredicateShift on that predicate's index.
struct Lop3Mode {
  static constexpr std::uint64_t kNegated = 1 << 8;
  static constexpr unsigned kPredicateShift = 16;
};

}  // namespace warpfork::simt
