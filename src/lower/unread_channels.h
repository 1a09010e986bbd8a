// Which channels a texture instruction writes (PTX ISA, "tex"): a GPU's have a mask for it, PTX names all four.
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Results of tex and tld4 that nothing reads become `_`, and take no registers.
void leave_out_unread_channels(ptx::Function& function);

}  // namespace warpfork::lower
