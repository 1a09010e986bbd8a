// Addresses of shared memory in the blocks of a cluster, which is always one (PTX ISA, "mapa", "getctarank").
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Of mapa remains a move, and a trap for threads that ask for another block than the only one; getctarank gives 0.
/// Those that name another block stay, and are refused.
void stay_in_own_block(ptx::Function& function);

}  // namespace warpfork::lower
