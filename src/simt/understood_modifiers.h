// Which dotted words of PTX mean something to the executor, or may be left out of account; an instruction with any
// other is refused when its module is loaded.
#pragma once

#include "ptx/types.h"

namespace warpfork::simt {

bool is_understood(ptx::Modifier modifier);

}  // namespace warpfork::simt
