// Barriers that only some threads of a warp come to, told apart before anything is decoded.
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// `@p bar.sync 0;` becomes `@!p bra over; bar.sync 0; over:` and so does bar.red: the threads that wait are then a
/// split of their own. bar.arrive, which nobody waits at, stays as it is.
void part_at_guarded_barriers(ptx::Function& function);

}  // namespace warpfork::lower
