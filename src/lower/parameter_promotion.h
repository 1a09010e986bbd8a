// Arguments in registers, as the calling conventions of real GPUs have them: function-scope .param variables (PTX ISA,
// "Device Function Parameters") become registers of their own.
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Replaces ld.param and st.param of the function's own .param variables by moves. A variable whose pieces overlap, or
/// whose address is taken, becomes a .local variable instead, and accesses to it that are not aligned, as to a packed
/// structure, become accesses to bytes. The parameters of the entry itself are left alone. System
/// calls are given registers: of an array one of `address_type` with its address in local memory.
void promote_parameters(ptx::Function& function, ptx::ScalarType address_type);

}  // namespace warpfork::lower
