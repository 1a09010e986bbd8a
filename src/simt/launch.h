// A grid in execution: what its blocks and warps are made of, functionally.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/active_mask.h"
#include "base/types.h"
#include "simt/device_memory.h"
#include "simt/lane_permutation.h"
#include "simt/memory_access.h"
#include "simt/program.h"

namespace warpfork::simt {

class DeferredAccesses;
class DeviceRuntime;
class MemoryCheck;

/// One kernel launch.
struct Launch {
  const Program* program = nullptr;
  DeviceMemory* memory = nullptr;
  Dim3 grid, block;
  std::vector<std::byte> parameters;
  std::uint32_t dynamic_shared_bytes = 0;
  unsigned warp_size = 32;
  LanePermutation lane_permutation = LanePermutation::Identity;
  std::uint64_t grid_id = 0;             // %gridid
  std::uint64_t grid_workspace = 0;      // %envreg1 (high half) and 2, of a cooperative launch: by what its blocks wait
  unsigned core_count = 1;               // %nsmid
  bool check_scalars = false;            // prove that what is executed once may be
  MemoryCheck* memory_check = nullptr;   // sees every access; null = nobody looks
  DeferredAccesses* deferred = nullptr;  // by core, what puts off its accesses of device memory; null = nothing does
  DeviceRuntime* device_runtime = nullptr;  // takes the grids that threads launch; null = they may not
  std::string* printed = nullptr;  // where device code's printf goes, in the order of execution; null = nowhere

  unsigned threads_per_block() const { return static_cast<unsigned>(block.count()); }
  unsigned warps_per_block() const { return (threads_per_block() + warp_size - 1) / warp_size; }
  /// Whether its blocks may wait for one another: all are there at once then.
  bool is_cooperative() const { return grid_workspace != 0; }
  std::uint32_t shared_bytes() const { return program->shared_bytes(dynamic_shared_bytes); }
  std::uint32_t shared_room() const { return program->shared_room(dynamic_shared_bytes); }
};

/// Throws Error if the launch cannot run on any machine: empty grid or block, more than 1024 threads or 65535 blocks
/// in y or z, a parameter buffer of the wrong size, threads other than .reqntid or more than .maxntid ask for.
void validate(const Launch& launch);

class BlockContext;

/// The memories that one warp's instructions reach, as host addresses.
struct MemoryView {
  DeviceMemory* device = nullptr;
  std::byte* device_base = nullptr;  // host address of DeviceMemory::kBase
  std::byte* shared = nullptr;
  std::byte* local = nullptr;  // of the row's lane 0; lanes follow at local_bytes
  const std::byte* parameters = nullptr;
  std::uint64_t shared_bytes = 0, local_bytes = 0, parameter_bytes = 0;  // with padding
};

/// Device allocations that a block's accesses touched lately, each in a place that goes by the instruction: it is
/// likely to touch the same one again.
struct KnownAllocations {
  static constexpr unsigned kPlaces = 16;
  /// One after the other, as instructions lie in the code.
  static unsigned place_of(const Instruction& instruction) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(&instruction) / sizeof instruction % kPlaces);
  }

  std::array<DeviceMemory::Range, kPlaces> known{};
  unsigned place = 0;  // of the instruction that accesses memory now
};

/// Registers and identity of one row of a warp's lanes: all of a warp of up to 32 threads, half of one of 64. Handlers
/// read and write it; what they call a lane is a lane of the row. What each of them looks at lies in one line of the
/// host's cache; what the warps of a block may share they do, so that a core's warps fit into it.
class alignas(64) WarpContext {
 public:
  WarpContext(MemoryAccess& access, KnownAllocations& allocations) : access(access), allocations(allocations) {}

  std::byte* registers = nullptr;       // Program::register_block_bytes
  std::span<std::uint32_t> predicates;  // one bit per lane
  RowLanes live;                        // lanes whose thread has not exited; kept by whoever executes exits
  Pc pc = 0;             // set by the core if it keeps time, before a handler runs: for accesses that are put off
  Cycle clock = 0;       // what %clock, %clock64 and %globaltimer read; set by the core if it keeps time
  MemoryAccess& access;  // of the block's last Load, Store or Atomic; its lanes are the row's
  KnownAllocations& allocations;  // the block's
  MemoryView memory;
  /// The number in its warp of the thread in a lane of the row.
  unsigned number_in_warp(unsigned lane) const { return (row * kRowLanes + lane) ^ lane_key; }

  BlockContext* block = nullptr;
  WarpId warp = 0;
  unsigned row = 0;       // of the warp
  unsigned lane_key = 0;  // of the warp, whose lanes are not its threads' numbers if it is not 0
};

/// Registers, shared and local memory of one thread block. Reusable: start() makes it another block of the launch.
class BlockContext {
 public:
  explicit BlockContext(const Launch& launch);
  ~BlockContext();

  /// Becomes block `index` of the grid, on core `core` (%smid); memory and registers as at a block's start: zero.
  void start(Dim3 index, unsigned core = 0);

  /// Of each warp.
  unsigned rows() const;
  WarpContext& warp(WarpId id, unsigned row = 0);
  /// All of them, by warp and row.
  std::span<WarpContext> warps();
  const WarpContext& warp(WarpId id, unsigned row = 0) const;
  /// Lanes that hold a thread: all but in the last warp.
  ActiveMask lanes(WarpId id) const;
  const Launch& launch() const;
  Dim3 index() const;

  /// For the launch's memory check: a byte for each of the block's shared memory, and of the local memory of the lane's
  /// thread; 0 = not written since the block started.
  std::byte* written_shared();
  std::byte* written_local(const WarpContext& warp, unsigned lane);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The number in its block of the thread in a lane of the row.
inline unsigned thread_number(const WarpContext& warp, unsigned lane) {
  return warp.warp * warp.block->launch().warp_size + warp.number_in_warp(lane);
}

/// Lanes of `active` whose guard lets the instruction happen.
inline RowLanes guarded(const Instruction& instruction, const WarpContext& warp, RowLanes active) {
  if (instruction.guard == Instruction::kNoPredicate) return active;
  const RowLanes predicate(warp.predicates[instruction.guard]);
  return instruction.guard_negated ? active - predicate : active & predicate;
}

}  // namespace warpfork::simt
