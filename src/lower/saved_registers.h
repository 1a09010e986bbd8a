// What recursive calls must save: liveness, asked of each call.
#pragma once

#include <vector>

#include "lower/recursion.h"

namespace warpfork::lower {

/// By call, ascending: the registers that are alive behind its room and that it or the copy that it branches to writes,
/// but for its results. Rooms must have their numbers.
std::vector<std::vector<ptx::RegisterId>> find_saved_registers(const ptx::Function& function,
                                                               const Recursion& recursion);

}  // namespace warpfork::lower
