// What arguments and results are passed by (PTX ISA, "call"): moves, and accesses to .param variables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ptx/module.h"

namespace warpfork::lower {

/// The .param variable of `out`, if that is what the operand names: mostly a late one.
const ptx::Variable* find_param_variable(const ptx::Function& out, const ptx::Operand& operand);

/// Of a parameter or result in a register: that of the copy whose registers begin there. None if the callee declares it
/// without using it.
std::optional<ptx::RegisterOperand> register_of(const ptx::Function& callee, ptx::RegisterId first_register,
                                                const ptx::Variable& parameter);

/// `[variable + offset]`.
ptx::Operand place_in(const std::string& variable, std::int64_t offset = 0);

ptx::Instruction move(ptx::Operand to, ptx::Operand from, ptx::ScalarType type, const ptx::Location& location);

/// ld.param or st.param.
ptx::Instruction param_access(ptx::Opcode opcode, std::vector<ptx::Operand> operands, ptx::ScalarType type,
                              const ptx::Location& location);

}  // namespace warpfork::lower
