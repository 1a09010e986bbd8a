// An entry made ready for decoding: whatever the flat code of a Program cannot hold is rewritten in PTX itself.
#pragma once

#include "ptx/module.h"

namespace warpfork::simt {

/// A copy of the entry without calls, other than of system calls with registers as arguments, and without guards on
/// barriers to wait at, that ends in `ret` if control could run off its end. Throws Error for what cannot be rewritten.
ptx::Function prepare(const ptx::Module& module, const ptx::Function& entry);

}  // namespace warpfork::simt
