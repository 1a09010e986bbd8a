// The registers that a thread can only read (PTX ISA, "Special Registers").
#pragma once

#include <cstdint>
#include <optional>

#include "ptx/instruction.h"
#include "reference/block_state.h"

namespace warpfork::reference {

/// What the thread of that number in the block reads, nothing for a register that is not supported. One core, one grid,
/// and a clock that stands still: legal, since the ISA promises no values there.
std::optional<std::uint64_t> special_register(const ptx::SpecialRegisterOperand& operand, const BlockState& block,
                                              unsigned thread);

}  // namespace warpfork::reference
