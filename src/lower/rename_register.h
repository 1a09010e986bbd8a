// Another register in an instruction's operands.
#pragma once

#include "ptx/operand_walk.h"

namespace warpfork::lower {

/// Wherever `from` is read or written, as an address, too; the guard stays.
inline void rename_register(ptx::Instruction& instruction, ptx::RegisterId from, ptx::RegisterId to) {
  for (ptx::Operand& whole : instruction.operands)
    ptx::walk(whole, [&](ptx::Operand& operand) {
      if (auto* reg = std::get_if<ptx::RegisterOperand>(&operand); reg && reg->id == from) reg->id = to;
      if (auto* address = std::get_if<ptx::AddressOperand>(&operand))
        if (auto* base = std::get_if<ptx::RegisterId>(&address->base); base && *base == from) *base = to;
    });
}

}  // namespace warpfork::lower
