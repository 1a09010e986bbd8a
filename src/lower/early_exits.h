// Threads that leave a kernel while others of their warp go on to meet.
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// `@p bra end; … end: ret;` becomes `@p ret;` where what the other threads execute may wait for threads or name them:
/// barriers, and .sync instructions of a warp. Else those that leave would wait at `end`, where the branch's threads
/// meet again, for threads that wait for them. Compilers for GPUs make all such branches guarded exits.
void exit_before_others_meet(ptx::Function& function);

}  // namespace warpfork::lower
