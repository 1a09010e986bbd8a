// Barriers that are objects in memory, on a machine that has none (PTX ISA, "mbarrier").
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Spells out each mbarrier of shared memory in loads, stores and atomics on its 64 bits (mbarrier_word.h). Who takes
/// off what is missing last, an arrival or bytes, begins the next phase by the same operation, atom.mbarrier or
/// red.mbarrier: PTX has none, so that texts cannot have it. try_wait does not wait but asks. What concerns another
/// block's memory is left, to be refused.
void spell_out_mbarriers(ptx::Function& function);

}  // namespace warpfork::lower
