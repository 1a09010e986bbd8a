// What type an operand must have, as the letters of signatures.def say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ptx/instruction.h"

namespace warpfork::ptx {

enum class NumberClass : std::uint8_t { Bits, Integer, Float, Predicate };
NumberClass class_of(ScalarType type);

/// How an operand must look.
struct Want {
  std::optional<ScalarType> type;  // none: anything
  unsigned bits = 0;               // of the type, or twice that for .wide
  bool may_be_wider = false;
};

/// By the letter of an operand of this instruction, which has the dotted types that the letter speaks of.
Want wanted_by(char letter, const Instruction& instruction);

/// A register in a fragment of a matrix with elements of this type: several small ones lie in one of 32 bits.
Want wanted_in_fragment(ScalarType element);

/// Whether a register of this type may stand there.
bool fits(ScalarType given, const Want& want);

/// Which registers may, for messages.
std::string allowed(const Want& want);

}  // namespace warpfork::ptx
