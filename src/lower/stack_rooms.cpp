#include "lower/stack_rooms.h"

#include <algorithm>

namespace warpfork::lower {

const ptx::RegisterOperand* result_of(const ptx::Instruction& instruction) {
  return instruction.operands.empty() ? nullptr : instruction.operands[0].as<ptx::RegisterOperand>();
}

std::vector<StackRoom> rooms_of(const ptx::Function& function, const Recursion& recursion) {
  std::vector<StackRoom> rooms(2 * std::max(recursion.copies.size(), recursion.calls.size()) + 1);
  for (Pc pc = 0; pc < function.body.size(); ++pc) {
    const ptx::Instruction& instruction = function.body[pc];
    const auto* to = result_of(instruction);
    if (to == nullptr || to->id != recursion.stack) continue;
    StackRoom& room = rooms.at(std::get<ptx::ImmediateOperand>(instruction.operands.at(2)).bits);
    (instruction.opcode == ptx::Opcode::Add ? room.begin : room.end) = pc;
  }
  return rooms;
}

}  // namespace warpfork::lower
