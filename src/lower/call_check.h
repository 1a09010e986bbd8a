// Whether the operands of a call fit the parameters of the function (PTX ISA, "call").
#pragma once

#include <optional>
#include <string>

#include "ptx/call_parts.h"
#include "ptx/module.h"

namespace warpfork::lower {

/// What is wrong with a call of `callee` in the body of `caller`, or nothing.
std::optional<std::string> wrong_call(const ptx::CallParts& call, const ptx::Function& callee,
                                      const ptx::Function& caller);

/// Of the .param variables among its arguments alone: what else is wrong with a call of the system its decoder says.
std::optional<std::string> wrong_argument_sizes(const ptx::CallParts& call, const ptx::Function& callee,
                                                const ptx::Function& caller);

}  // namespace warpfork::lower
