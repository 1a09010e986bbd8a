// Arguments and results of recursive calls without a stop on their way.
#pragma once

#include "lower/recursion.h"

namespace warpfork::lower {

/// What was to wait in a register until everything is read goes at once to where it is to lie, if that is a register,
/// too, and nobody looks there meanwhile.
void pass_directly(ptx::Function& function, Recursion& recursion);

}  // namespace warpfork::lower
