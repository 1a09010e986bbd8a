#include "lower/cache_policies.h"

#include <cstdint>

namespace warpfork::lower {

void forget_cache_policies(ptx::Function& function) {
  for (ptx::Instruction& instruction : function.body) {
    if (instruction.opcode != ptx::Opcode::Createpolicy) continue;
    instruction.opcode = ptx::Opcode::Mov;
    instruction.modifiers.clear();
    instruction.space = ptx::StateSpace::Generic;
    instruction.types = {ptx::ScalarType::B64};
    instruction.operands.resize(1);
    instruction.operands.push_back(ptx::ImmediateOperand{ptx::ImmediateOperand::Kind::Integer, std::uint64_t{0}});
  }
}

}  // namespace warpfork::lower
