// Convergence barriers of one warp (Diamos et al., US 10 067 768 B2): threads with program counters of their own.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "divergence/multi_path.h"

namespace warpfork {

/// Threads that a branch parts take part in a barrier at its reconvergence point: an entry of the reconvergence table.
/// Those that come there are blocked until all of its threads have come, left the kernel, or yielded; then it is
/// cleared, and those that are blocked go on together. One split may issue: it runs until its threads are blocked, exit
/// or yield, and the next one in turn follows.
///
/// A split yields when it has come kPollingTurns times to the beginning of a polling loop
/// (FrontierPlace::begins_polling) while others of its warp could have gone on. Barriers are cleared for those that
/// have yielded when every split that could issue has.
///
/// Splits may wait for threads that they name (wait_for_others()), and go on as one when they have met (meet()): in the
/// innermost barrier that all of them take part in, and in those around it. If no split may issue, those that wait so
/// are like those that have yielded.
///
/// tables(), 4 lanes of which two have left a loop from 1 to 3 for 4, where they are blocked:
///   ST       pc   rpc  lanes
///             2     4  0011
///   CB       pc   rpc  lanes  pending
///             4     -  1111   0011
class ConvergenceBarrier : public MultiPath {
 public:
  static constexpr bool kWatchesBlocks = true;

  explicit ConvergenceBarrier(const DivergenceSpec&) : MultiPath({.max_splits = 1}) {}

  void begin_kernel(std::span<const FrontierPlace> order) { order_ = order; }
  void launch(SplitSlots slots, Pc entry, ActiveMask lanes);
  bool advance(unsigned slot, std::span<const Path> paths, Pc reconvergence);
  bool enter_block(unsigned slot, Pc first);
  bool wait(unsigned slot);
  bool wait_for_others(unsigned slot);
  bool release(unsigned slot);
  bool meet(SlotSet slots);
  bool unblock() { return clear_barriers(); }
  std::vector<StateTable> tables() const;

 private:
  bool is_alone() const { return splits_.ready().count() == 1 && reconvergences_.is_empty(); }
  bool take_turn(unsigned slot);
  void yield(unsigned slot);
  ActiveMask lanes_of(SlotSet slots) const;
  bool clear_barriers();
  void clear(ReconvergenceIndex index);
  void let_go(ReconvergenceIndex index, SplitTable::Place place);
  ReconvergenceIndex common_barrier(SlotSet slots) const;

  std::span<const FrontierPlace> order_;               // by instruction
  SlotSet yielded_, awaiting_;                         // since all did; those that wait for threads that they name
  std::array<std::uint16_t, kSplitsPerWarp> turns_{};  // by slot: in polling loops, while others could have gone on
};

}  // namespace warpfork
