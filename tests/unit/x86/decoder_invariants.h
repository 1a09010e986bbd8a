// What holds for every decoded instruction, whatever it is.
#pragma once

#include <string>

#include "x86/instruction.h"

namespace warpfork::x86 {

/// The first that does not hold, or nothing: there are µops; every access is made by one µop of its kind, in order;
/// operands are registers; a second destination is the flags; what a µop reads of the temporaries was written before;
/// one µop branches, the last, if and only if the instruction is a branch.
std::string broken_invariant(const StaticInstruction& instruction);

}  // namespace warpfork::x86
