// What a reader must know of a kernel's registers before trusting its occupancy.
#pragma once

#include <span>
#include <string>

#include "report/launch_record.h"

namespace warpfork::report {

/// A line for each doubt about the registers of a kernel's timed launches; nothing where registers cost no block and
/// everything that is alive finds room.
///
/// Printed samples, of allocated registers and of PTX's own (core.register_allocation=off):
///   registers   44 a thread, as allocated, leave room for 2 blocks on a core, of 6.
///   registers   16 bytes of each thread are spilled to local memory: a thread can have 20 registers
///   registers   44 a thread leave room for 2 blocks on a core, of 6. They are those alive at once in the PTX;
///               an allocator may need half as many: --set core.registers_per_thread=N (ptxas -v reports N)
///   registers   92 are alive at once in the PTX, more than the 64 that a thread can have: ptxas would have
///               spilled some to local memory, which is not simulated
std::string register_note(std::span<const LaunchRecord> launches);

}  // namespace warpfork::report
