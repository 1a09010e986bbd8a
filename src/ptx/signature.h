// What each opcode takes (PTX ISA, syntax of the instructions), as signatures.def states it.
#pragma once

#include <string_view>

#include "ptx/types.h"

namespace warpfork::ptx {

struct Signature {
  std::string_view operands;  // a letter each; see signatures.def
  std::string_view words;     // the dotted words beside the types
};

const Signature& signature_of(Opcode opcode);

/// How many dotted types the letters of the operands speak of: 0, 1 or 2.
unsigned types_of(const Signature& signature);

/// Scalar and SIMD video instructions, vadd to vset4.
bool is_video(Opcode opcode);

}  // namespace warpfork::ptx
