// Live ranges and places of a kernel's registers, for people.
#pragma once

#include <string>

#include "lower/register_allocation.h"

namespace warpfork::lower {

/// Of an allocated function on a machine with warps of so many threads. Sample:
///
///   kernel k: 9 instructions
///   4 registers a thread (128 a warp), 1 predicate
///   spilled: %r7 to bytes 0-3 of 4 of local memory
///
///   place     register         held at pc
///   R0        %r1              0-4
///   R2:R3     %rd2             1-3 6-8
///   P0        %p1              4-5
///
/// A register is held at an instruction that reads or writes it, and at those where it is alive.
std::string print_registers(const ptx::Function& function, const RegisterAllocation& allocation, unsigned warp_size);

}  // namespace warpfork::lower
