// 64-bit registers of which only the low halves matter: addresses of shared and local memory above all, which PTX for
// 64-bit addresses computes as wide as those of global memory. Compilers for GPUs compute them in 32 bits.
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Makes integer registers of 64 bits 32 bits wide where nothing reads more of them, directly or through what is
/// computed from them: bases of shared and local addresses (whose spaces are smaller than 4 GiB), 32-bit stores and
/// conversions. As many instructions as before, of the same timing class: `mul.wide` becomes `mul.lo`, a conversion
/// between 32 and 64 bits a `mov`.
void narrow_registers(ptx::Function& function);

}  // namespace warpfork::lower
