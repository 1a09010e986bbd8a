// A warp instruction between issue and writeback.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/active_mask.h"
#include "base/types.h"
#include "divergence/warp_split.h"
#include "memory/coalescer.h"
#include "simt/program.h"

namespace warpfork::gpu {

/// Index of an InFlight record in its core's pool.
using InFlightId = std::uint32_t;
inline constexpr InFlightId kNoInFlight = ~0u;

/// The three ways from issue to execution.
enum class Port : std::uint8_t { Sp, Sfu, Memory };
inline constexpr unsigned kPorts = 3;

/// Core cycles from a pipeline's end by way of the writeback register into the register file.
inline constexpr Cycle kToWriteback = 2;

/// One piece of a memory instruction: lanes that a single request serves.
using Transaction = memory::Segment;

/// What only memory instructions and regrouped splits need.
struct InFlightExtra {
  /// Every lane may be in a line of its own; of shared memory: by lane.
  std::array<Transaction, kMaxWarpSize> transaction;
  std::vector<HomeLanes> homes;  // `home_count` of them, by slot in the core
};

/// What every stage looks at lies in one line of the host's cache, and those of a core side by side.
struct alignas(64) InFlight {
  const simt::Instruction* instruction = nullptr;
  ActiveMask lanes;       // the split's active lanes: what the scoreboard reserved, unless `homes` says more
  ActiveMask executed;    // of these, those that do something; all of a branch's
  std::uint8_t warp = 0;  // slot in the core
  Port port = Port::Sp;
  std::uint16_t latency = 1;  // core cycles, from the unit's entry to the result bus
  std::uint16_t interval = 1;
  simt::MemorySpace space = simt::MemorySpace::None;
  std::uint8_t home_count = 0;  // of a compacted split: how many warps its registers lie in
  std::uint16_t rounds = 1;     // shared memory: accesses after bank conflicts
  std::uint8_t transactions = 0, sent = 0;
  std::uint32_t outstanding = 0;  // transactions whose answer is not back
  Pc pc = kNoPc;                  // of the instruction, if it is one of the kernel
  bool is_written = false;        // of an execution unit: being written to the register banks
  InFlightId next = kNoInFlight;  // free list, or the other completions of the same cycle

  std::unique_ptr<InFlightExtra> extra = std::make_unique<InFlightExtra>();

  /// The warps (slots) in which the instruction's registers lie, and its lanes there.
  template <class Visit>
  void for_each_home(Visit&& visit) const {
    if (home_count == 0) visit(unsigned{warp}, lanes);
    for (unsigned i = 0; i < home_count; ++i) visit(unsigned{extra->homes[i].warp}, extra->homes[i].lanes);
  }
};
static_assert(sizeof(InFlight) == 64);

}  // namespace warpfork::gpu
