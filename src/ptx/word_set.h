// Which dotted words an instruction may have beside the types of its operands: modifiers, state space, vector width
// (PTX ISA, syntax of each instruction; table: signatures.def).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/instruction.h"

namespace warpfork::ptx {

/// A word that an opcode takes; `changes_nothing` where it is there for completeness ('~' in the table).
struct TakenWord {
  std::string_view text;
  bool changes_nothing = false;
};

/// Words of which an instruction has one at most, or exactly one.
struct Alternatives {
  std::vector<TakenWord> words;
  bool is_mandatory = false;  // '!' in the table
};

/// What this opcode takes with these types and this space. Empty for an opcode that nothing executes.
const std::vector<Alternatives>& taken_words(const Instruction& instruction);

/// A word that an instruction cannot have, and what it can.
struct RefusedWord {
  std::string text;     // without the dot
  std::string allowed;  // "{.rn|.rz|.rm|.rp}{.ftz}{.sat}", "(.lo|.hi|.wide){.cc}" where one must be, "no other word"
};

/// The first word that means nothing to the opcode, is there twice, or excludes an earlier one. Nothing for an opcode
/// that nothing executes: what it takes is not known.
std::optional<RefusedWord> refused_word(const Instruction& instruction);

/// The first words of which the opcode must have one and has none, ".lo|.hi|.wide".
std::optional<std::string> missing_word(const Instruction& instruction);

}  // namespace warpfork::ptx
