// Where room on the stack of recursive functions begins and ends in the code.
#pragma once

#include <cstdint>
#include <vector>

#include "lower/recursion.h"

namespace warpfork::lower {

/// The instructions that move the stack register.
struct StackRoom {
  Pc begin = kNoPc, end = kNoPc;
};

/// By number, as long as the instructions hold numbers.
std::vector<StackRoom> rooms_of(const ptx::Function& function, const Recursion& recursion);

/// The first operand, if it is a register.
const ptx::RegisterOperand* result_of(const ptx::Instruction& instruction);

}  // namespace warpfork::lower
