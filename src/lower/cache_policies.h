// Policies of a cache that takes none (PTX ISA, "createpolicy").
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Makes of each createpolicy a zero: who is given the policy, as an access's L2::cache_hint, does not look at it.
void forget_cache_policies(ptx::Function& function);

}  // namespace warpfork::lower
