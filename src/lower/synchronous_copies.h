// Asynchronous copies, as a machine executes them that has none (PTX ISA, "cp.async").
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Makes of each cp.async from global to shared memory a load and a store, as compilers do for machines without it.
/// What is copied may be there at once: commits and waits go. Stores stand behind the loads of the copies that follow
/// one another, so that these are under way together. Where a register says how much of the source is copied, that must
/// be whole words (the kernel traps if not); a literal may be any number of bytes. Copies by bulk and for an mbarrier
/// are left.
void make_copies_synchronous(ptx::Function& function);

}  // namespace warpfork::lower
