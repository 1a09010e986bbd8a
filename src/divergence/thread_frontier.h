// Reconvergence of one warp at thread frontiers (Diamos et al. 2011): no stack, but an order of the kernel's blocks.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "divergence/warp_local.h"

namespace warpfork {

/// Splits are wherever their threads are, and one may issue: of those whose block is no postdominator of another
/// split's (threads that are where others must come wait for them), that which comes first in the order that
/// begin_kernel() was given. When it comes to the block where another split is, both go on as one. So threads meet at
/// the immediate postdominator at the latest, and mostly before, as the order has a block behind those that lead to it
/// and what follows a loop behind the loop.
///
/// Splits at barriers wait there by themselves. A split that has come kPollingTurns times to the beginning of a polling
/// loop (FrontierPlace::begins_polling), while another could have run, makes way: the others run first, and wait for it
/// nowhere, until all of them have ended, wait at barriers or have made way as well. So threads that wait for each
/// other, as at a lock, go on at last.
///
/// tables(), 4 lanes of which two have left a loop from 1 to 3 for 4:
///   splits  pc  lanes
///            2  0011   runs
///            4  1100
class ThreadFrontier {
 public:
  static constexpr bool kWatchesBlocks = true;

  explicit ThreadFrontier(const DivergenceSpec&) {}

  void begin_kernel(std::span<const FrontierPlace> order) { order_ = order; }
  void launch(SplitSlots slots, Pc entry, ActiveMask lanes);
  std::span<const SplitId> runnable() const { return {&running_, runs_ ? 1u : 0u}; }
  bool advance(unsigned slot, std::span<const Path> paths, Pc reconvergence);
  bool enter_block(unsigned slot, Pc first);
  bool wait(unsigned slot);
  bool release(unsigned slot);
  ActiveMask live() const { return live_; }
  std::vector<StateTable> tables() const;

 private:
  FrontierPlace place(unsigned slot) const;
  void put(unsigned slot, Pc pc, ActiveMask lanes);
  bool waits_for_others(unsigned slot, SlotSet others) const;
  void take_along(unsigned slot);
  void choose();

  std::span<const FrontierPlace> order_;  // by instruction
  WarpSplit* slots_ = nullptr;
  SlotSet used_, waiting_, made_way_;
  SplitId running_ = 0;
  bool runs_ = false;
  std::array<std::uint16_t, kSplitsPerWarp> turns_{};  // by slot: in polling loops, while others could have run
  ActiveMask launched_, live_;
};

}  // namespace warpfork
