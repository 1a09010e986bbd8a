// Barriers that are objects in memory, on a machine that has none (PTX ISA, "mbarrier").
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Spells out each mbarrier of shared memory in loads, stores and atomics on its 64 bits: from the lowest 20 arrivals
/// that are still missing in this phase, 20 that each phase waits for, 24 the number of the phase. Who arrives last
/// begins the next phase. try_wait does not wait but asks. What counts transactions of bulk copies is left, to be
/// refused.
void spell_out_mbarriers(ptx::Function& function);

}  // namespace warpfork::lower
