// Calls of device functions (PTX ISA, "call") replaced by the functions' bodies: the simulated code has no call stack,
// as optimised GPU code mostly has none.
#pragma once

#include "lower/lower.h"
#include "ptx/module.h"

namespace warpfork::lower {

/// A copy of the entry without calls, other than of system calls, and without indexed branches, which become chains of
/// comparisons. Argument and result variables are shared between caller and callee and stay as function-scope .param
/// variables (see promote_parameters()). Throws Error, naming the place of the call, for recursion, indirect calls and
/// other functions without a body.
ptx::Function inline_calls(const ptx::Module& module, const ptx::Function& entry, const Lowering& lowering);

}  // namespace warpfork::lower
