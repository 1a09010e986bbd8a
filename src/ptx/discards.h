// Where `_` may stand for a result that nobody needs.
#pragma once

#include <vector>

#include "ptx/instruction.h"
#include "ptx/source.h"

namespace warpfork::ptx {

/// Throws Error where it stands for a value, or for a result that the instruction must give: as an element of a vector
/// it discards any result, as a whole that of few opcodes (PTX ISA, "atom", "setp", "lop3", "mbarrier.arrive", "elect",
/// "match.sync", "shfl.sync"; of others ptxas 13 says so). `places`: of the operands.
void check_discards(const Instruction& instruction, const Source& source, const std::vector<Position>& places);

}  // namespace warpfork::ptx
