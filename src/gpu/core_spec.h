// What a machine description says about one core (streaming multiprocessor).
#pragma once

#include <string>

#include "base/active_mask.h"
#include "gpu/collector_spec.h"
#include "gpu/lane_spec.h"
#include "gpu/unit_timing_spec.h"
#include "gpu/warp_slots.h"
#include "memory/cache_spec.h"

namespace warpfork::gpu {

struct SharedMemorySpec {
  unsigned bytes = 49152;
  unsigned banks = 32;
  unsigned latency = 26;

  template <class Visit>
  void visit(Visit&& v) {
    v("bytes", bytes, "shared memory of a core", {0, 1 << 24});
    v("banks", banks, "banks of 4-byte words", {1, 64});
    v("latency", latency, "core cycles in the shared-memory pipeline", {1, 4096});
  }
};

/// "policy of the warp schedulers: gto, lrr, two-level": of the table in warp_scheduler.cpp.
std::string scheduler_text();

struct CoreSpec {
  unsigned warp_size = 32;
  unsigned threads = 1536;
  unsigned warps = 48;
  unsigned blocks = 8;
  unsigned registers = 32768;
  unsigned register_granularity = 4;
  unsigned scalar_registers = 2048;
  unsigned registers_per_thread = 0;
  unsigned registers_per_thread_limit = 0;
  std::string register_allocation = "colouring";
  unsigned schedulers = 2;
  unsigned issue_interval = 1;
  std::string scheduler = "gto";
  unsigned two_level_active = 8;
  unsigned scoreboard_entries = 8;
  std::string scoreboard_masks = "mechanism";
  LaneSpec lanes;
  std::string scalarize = "off";
  std::string scalarize_rows = "off";
  unsigned instruction_bytes = 8;
  unsigned fetch_bytes = 16;
  unsigned instruction_buffer = 2;
  unsigned response_queue = 2;
  CollectorSpec collector;
  ExecutionSpec execution;
  SharedMemorySpec shared;
  memory::CacheSpec l1d, l1i, constant, texture;

  template <class Visit>
  void visit(Visit&& v) {
    v("warp_size", warp_size, "threads of a warp", {1, kMaxWarpSize});
    v("threads", threads, "threads that a core holds", {1, 1 << 16});
    v("warps", warps, "warps that a core holds, and instruction buffer entries", {1, WarpSlots::kCapacity});
    v("blocks", blocks, "thread blocks that a core holds", {1, 64});
    v("registers", registers, "32-bit registers of a core", {1, 1 << 24});
    v("scalar_registers", scalar_registers,
      "32-bit registers of the scalar file of simt-scalar lanes, which its warps share (GCN: 512 for each of a compute "
      "unit's four SIMDs); other lanes have none; 0 = no limit",
      {0, 1 << 24});
    v("register_granularity", register_granularity, "registers per thread are rounded up to a multiple of this",
      {0, 65536});
    v("registers_per_thread", registers_per_thread,
      "registers per thread for occupancy; 0 = what core.register_allocation makes of the kernel", {0, 1 << 16});
    v("registers_per_thread_limit", registers_per_thread_limit,
      "registers that a thread can have; what is beyond them is spilled to local memory; 0 = no limit", {0, 1 << 16});
    v("register_allocation", register_allocation,
      "places of a kernel's registers: colouring (they share, and occupancy, banks and hazards follow from it), "
      "colouring-as-written (nothing is moved or repeated first, as STSIMT 4.3 has it) or off (every PTX "
      "register has its own, occupancy counts those alive at once)");
    v("schedulers", schedulers, "warp schedulers; warp w belongs to scheduler w mod schedulers",
      {1, WarpSlots::kCapacity});
    v("issue_interval", issue_interval,
      "cycles from one instruction of a scheduler to its next; more than 1 where the front end supplies no more than "
      "one kind of unit takes, so that none executes beside another (STSIMT 3.3)",
      {1, 1024});
    v("scheduler", scheduler, scheduler_text());
    v("two_level_active", two_level_active, "warps in the active set of the two-level policy",
      {1, WarpSlots::kCapacity});
    v("scoreboard_entries", scoreboard_entries,
      "registers per warp that may have a write pending (MULTIPATH 3.3.2); 0 = no limit", {0, 1 << 16});
    v("scoreboard_masks", scoreboard_masks,
      "whether lanes wait only for their own pending writes to a register (R-mask, MULTIPATH 3.3.2), not for those of "
      "other lanes: always, never, or as the divergence mechanism's publication has it: mechanism");
    v("lanes", lanes, "how a warp instruction occupies the arithmetic units");
    v("scalarize", scalarize,
      "which instructions and registers are one for a warp (STSIMT 4.2): off, divergent (also where threads have "
      "parted) or convergent-only (Lee et al.)");
    v("scalarize_rows", scalarize_rows,
      "whether scalarize takes %tid.y and %tid.z for one for a warp: off, or filled; a launch that reads them and "
      "whose blocks' rows do not fill warps is then refused");
    v("instruction_bytes", instruction_bytes, "bytes of an instruction in the instruction cache, a power of two",
      {1, 128});
    v("fetch_bytes", fetch_bytes, "bytes of one instruction fetch, at most those of a line", {1, 128});
    v("instruction_buffer", instruction_buffer, "instructions an instruction buffer entry holds; refilled when empty",
      {1, 4096});
    v("response_queue", response_queue, "memory responses that wait for the load/store unit", {1, 4096});
    v("collector", collector, "operand collectors and register banks");
    v("execution", execution, "execution units");
    v("shared", shared, "shared memory");
    v("l1d", l1d, "L1 data cache");
    v("l1i", l1i, "L1 instruction cache");
    v("constant", constant, "constant cache, also kernel parameters");
    v("texture", texture, "texture cache, for ld.global.nc (the compiler's const __restrict__, CUDA's __ldg)");
  }
};

/// Throws Error that names the key if no core can be so.
void validate(const CoreSpec& spec);

/// Whether the core's scoreboard does, where the machine's divergence mechanism's publication may decide. Throws Error
/// if core.scoreboard_masks is none of its choices.
bool tells_lanes_apart(const CoreSpec& spec, bool mechanism_does);

}  // namespace warpfork::gpu
