// Calls of device functions (PTX ISA, "call") replaced by the functions' bodies: the simulated code has no call stack,
// as optimised GPU code mostly has none.
#pragma once

#include "lower/lower.h"
#include "lower/recursion.h"
#include "ptx/module.h"

namespace warpfork::lower {

struct Inlined {
  ptx::Function function;
  Recursion recursion;
};

/// A copy of the entry without calls, other than of system calls. Indexed branches become chains of comparisons, and so
/// do calls through pointers, of which `call pointer;` is left: that it is of none of the functions with which it was
/// compared (docs/adr/0007). Argument and result variables are shared between caller and callee and stay as
/// function-scope .param variables (see promote_parameters()); of functions that call one another in a circle there is
/// one copy each for all calls within the circle, with variables of its own (see lay_out_stack()). Throws Error, naming
/// the place of the call, for functions without a body that are no system calls.
Inlined inline_calls(const ptx::Module& module, const ptx::Function& entry, const Lowering& lowering);

}  // namespace warpfork::lower
