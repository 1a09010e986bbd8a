// How many thread blocks of a kernel one core holds at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/core_spec.h"
#include "gpu/machine_spec.h"
#include "report/occupancy_count.h"
#include "simt/launch.h"
#include "simt/program.h"

namespace warpfork::gpu {

struct Occupancy {
  unsigned registers_per_thread = 0;  // 32-bit registers, rounded up as the core allocates them
  unsigned scalars_per_warp = 0;      // of the same file or, with simt-scalar lanes, of one of their own; likewise
  /// machine: set there; live: of the PTX; limit: fewer than live, a thread's limit; allocation: what that takes.
  std::string registers_from;
  std::uint32_t shared_bytes = 0;         // per block
  unsigned blocks_per_core = 0;           // that fit on an empty core; 0: not even one
  unsigned block_slots = 0;               // that it may hold at a time, if warps of some have exited
  unsigned blocks_without_registers = 0;  // if registers were no limit; scalar ones of a file of their own stay one
  std::vector<std::string> limited_by;    // threads, warps, blocks, registers, scalars, shared; several = a tie
};

Occupancy occupancy(const CoreSpec& core, const simt::Program& program, unsigned threads_per_block,
                    std::uint32_t dynamic_shared_bytes);

/// What a launch's record says of it.
void fill_occupancy(report::OccupancyCount& count, const MachineSpec& spec, const Occupancy& fits,
                    const simt::Launch& launch);

}  // namespace warpfork::gpu
