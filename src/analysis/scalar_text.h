// Scalarization as a reader wants to see it: what is one for a warp, and why the rest is not.
#pragma once

#include <string>

#include "ptx/module.h"

namespace warpfork::analysis {

/// Of a flat function (lower::lower()): shares by rule, then each instruction's class and, if it is not scalar under
/// both rules, the chain from it back to the cause.
///
/// Printed sample:
///   rule             scalar instructions   live registers: of a thread, of a warp
///   divergent           4 of 7     57.1 %          1         1
///   convergent-only     2 of 7     28.6 %          1         1
///   divergent, and 32 divides the blocks' x:    4 of 7     57.1 %
///
///     pc  line  class      instruction
///      0     8  vector     mov.u32 %r1, %tid.x;
///                          reads the thread's index
///      1     9  scalar     ld.param.u32 %r2, [n];
///      2    10  vector     setp.lt.u32 %p1, %r1, %r2;
///                          reads %r1 <- pc 0 reads the thread's index
///      3    11  vector     @%p1 bra L;
///                          reads %p1 <- pc 2 reads %r1 <- pc 0 reads the thread's index
///      4    12  divergent  add.u32 %r3, %r2, 1;
///                          threads have parted at pc 3, which reads %p1 <- pc 2 reads %r1 <- …
///
/// `divergent`: scalar under this rule alone; what follows says why not under the other. `in rows`: scalar under it
/// only where 32 divides the blocks' x; what follows says why not elsewhere.
std::string print_scalars(const ptx::Function& function);

}  // namespace warpfork::analysis
