// Registers that live in local memory: loads before their uses, stores behind their definitions (Chaitin 1982).
#pragma once

#include <vector>

#include "lower/interference_graph.h"

namespace warpfork::lower {

/// Which registers to spill so that the coloured function comes nearer to the limit: for each one that lies beyond it,
/// the cheapest of it and its neighbours, which is what is used seldom, outside loops, and in the way of many. Those
/// from `first_temporary` on are what spilling itself made: they are left. Empty if there is no other.
std::vector<ptx::RegisterId> choose_spills(const ptx::Function& function, const analysis::ControlFlowGraph& graph,
                                           const analysis::Liveness& liveness, const InterferenceGraph& interference,
                                           const RegisterAllocation& coloured, unsigned limit,
                                           ptx::RegisterId first_temporary);

/// Whether spill() made the instruction.
bool is_spill(const ptx::Instruction& instruction);

/// Moves the registers to the function's spill area, a .local variable that grows, and notes them in `spilled`.
void spill(ptx::Function& function, std::span<const ptx::RegisterId> registers, std::vector<SpilledRegister>& spilled);

}  // namespace warpfork::lower
