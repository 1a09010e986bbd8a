// What each opcode takes (PTX ISA, syntax of the instructions), as signatures.def states it.
#pragma once

#include <string_view>

#include "ptx/instruction.h"

namespace warpfork::ptx {

struct Signature {
  std::string_view operands;  // a letter each; see signatures.def
  std::string_view words;     // the dotted words beside the types
};

const Signature& signature_of(Opcode opcode);

/// The letters of the operands of this instruction: where its words say what they are, not its opcode alone.
std::string_view operands_of(const Instruction& instruction);

/// How many dotted types the letters of the operands speak of: 0, 1 or 2.
unsigned types_of(std::string_view operands);

/// Scalar and SIMD video instructions, vadd to vset4.
bool is_video(Opcode opcode);

/// Whether there is a first operand, and it is written. An address never is, nor is the tuple that names a place in a
/// surface.
bool has_destination(const Instruction&);

}  // namespace warpfork::ptx
