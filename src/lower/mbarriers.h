// Barriers that are objects in memory, on a machine that has none (PTX ISA, "mbarrier").
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Spells out each mbarrier of shared memory in loads, stores and atomics on its 64 bits: from the lowest 20 arrivals
/// that are still missing in this phase, 20 that each phase waits for, 21 the bytes that are missing and 2^20, 3 the
/// number of the phase. Who takes off what is missing last, an arrival or bytes, begins the next phase. try_wait does
/// not wait but asks. What concerns another block's memory is left, to be refused.
void spell_out_mbarriers(ptx::Function& function);

}  // namespace warpfork::lower
