// Proves that an allocation keeps every value until it is read for the last time. It knows nothing of liveness and
// interference: it follows what each place holds.
#pragma once

#include <string>

#include "lower/register_allocation.h"

namespace warpfork::lower {

/// Empty if every read finds, on every path, what was last written to the register (or zero if nothing was); the first
/// fault otherwise. A scalar register's place is the whole warp's: threads that part run one side of a branch after the
/// other, so that a side may also begin with what the other one has left, or both at once. Sample:
///
///   pc 4 (line 12): 'add.s32 %r3, %r1, %r2;' reads %r1 in R0, where another register may have been written since
std::string allocation_fault(const ptx::Function& function, const RegisterAllocation& allocation,
                             const SideOrder& sides = {});

}  // namespace warpfork::lower
