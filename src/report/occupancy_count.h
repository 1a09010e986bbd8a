// How many blocks and warps of a launch a core could hold, and held.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/ratio.h"

namespace warpfork::report {

struct OccupancyCount {
  unsigned registers_per_thread = 0, scalars_per_warp = 0, shared_bytes = 0, blocks_per_core = 0, max_warps = 0;
  unsigned live_registers = 0, spilled_bytes = 0, blocks_without_registers = 0, registers_fitted = 0;
  std::string registers_from;
  std::vector<std::string> limited_by;
  std::uint64_t warp_cycles = 0, core_cycles = 0;  // of live warps, and of cores that had one

  double mean_warps() const { return ratio(warp_cycles, core_cycles); }

  template <class Visitor>
  void visit(Visitor&& v) {
    static constexpr const char* kSources[] = {"live", "limit", "machine", "allocation"};
    static constexpr const char* kLimits[] = {"threads", "warps", "blocks", "registers", "scalars", "shared"};
    v.fact("registers_per_thread", registers_per_thread, "registers",
           "of 32 bits that were reckoned with, rounded up as the core allocates them");
    v.fact("scalars_per_warp", scalars_per_warp, "registers",
           "of 32 bits that a warp keeps once for all its threads (`core.scalarize`), rounded up likewise: of the same "
           "file with temporal lanes, of the scalar file (`core.scalar_registers`) with `simt-scalar`");
    v.fact("registers_from", registers_from, "text",
           "`machine`: set by `core.registers_per_thread`; `live`: `live_registers`; `limit`: the smaller of the "
           "kernel's `.maxnreg` and `core.registers_per_thread_limit`, of which there are fewer than are alive; "
           "`allocation`: what the kernel's allocated registers take (`core.register_allocation`)",
           kSources);
    v.fact("registers_fitted", registers_fitted, "kernels",
           "1: so few were allocated that a block of this launch fits on a core, which would not otherwise; else 0");
    v.fact("live_registers", live_registers, "registers",
           "of 32 bits that are alive at once in the kernel's PTX, the largest number");
    v.fact("spilled_bytes", spilled_bytes, "bytes",
           "of a thread that lie in local memory, as its registers are more than it can have");
    v.fact("shared_bytes", shared_bytes, "bytes", "per block, static and dynamic");
    v.fact("blocks_per_core", blocks_per_core, "blocks", "that fit at a time");
    v.fact("blocks_without_registers", blocks_without_registers, "blocks",
           "that the launch would have had on a core at a time if registers were no limit");
    v.fact("limited_by", limited_by, "texts",
           "what stops another block: `threads`, `warps`, `blocks`, `registers`, `scalars` (the scalar "
           "file), `shared`; several = a tie",
           kLimits);
    v.hidden("warp_cycles", warp_cycles);
    v.hidden("core_cycles", core_cycles);
    v.note("mean_warps", mean_warps(), "warps", "live ones of a core, mean over the cycles in which it had any");
    v.fact("max_warps", max_warps, "warps", "that the core has room for");
  }
};

}  // namespace warpfork::report
