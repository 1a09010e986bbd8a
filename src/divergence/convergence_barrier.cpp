#include "divergence/convergence_barrier.h"

#include "divergence/polling.h"

namespace warpfork {

void ConvergenceBarrier::launch(SplitSlots slots, Pc entry, ActiveMask lanes) {
  MultiPath::launch(slots, entry, lanes);
  yielded_ = awaiting_ = SlotSet();
  turns_ = {};
}

/// All that come from a split have had its turns: sides within the loop, and those that have met there.
bool ConvergenceBarrier::advance(unsigned slot, std::span<const Path> paths, Pc reconvergence) {
  const std::uint16_t turns = turns_[slot];
  yielded_.erase(slot);
  move(slot, paths, reconvergence).for_each([&](unsigned entered) {
    turns_[entered] = turns;
    if (begins_polling(order_, splits_[entered].pc)) take_turn(entered);
  });
  return true;
}

bool ConvergenceBarrier::enter_block(unsigned slot, Pc first) {
  splits_.enter_block(slot, first);
  return begins_polling(order_, first) && take_turn(slot);
}

bool ConvergenceBarrier::wait(unsigned slot) {
  yielded_.erase(slot);
  return MultiPath::wait(slot);
}

bool ConvergenceBarrier::wait_for_others(unsigned slot) {
  awaiting_.insert(slot);
  return wait(slot);
}

bool ConvergenceBarrier::release(unsigned slot) {
  awaiting_.erase(slot);
  return MultiPath::release(slot);
}

/// Whoever leaves a barrier for that is no longer waited for there.
bool ConvergenceBarrier::meet(SlotSet slots) {
  const ReconvergenceIndex common = common_barrier(slots);
  const unsigned first = slots.lowest();
  std::vector<ReconvergenceIndex> left;
  slots.for_each([&](unsigned slot) {
    const ActiveMask lanes = splits_[slot].lanes;
    const ReconvergenceIndex innermost = splits_.entry(slot);
    for (ReconvergenceIndex index = innermost; index != common; index = reconvergences_[index].outer) {
      reconvergences_[index].lanes -= lanes;
      reconvergences_[index].pending -= lanes;
    }
    if (innermost != common) left.push_back(innermost);
    splits_.wait(slot);
    if (slot == first) return;
    splits_.erase(slot);
    splits_.add_lanes(first, lanes);
    awaiting_.erase(slot);
  });
  splits_.redirect(first, common == kNoReconvergence ? kNoPc : reconvergences_[common].pc, common);
  for (const ReconvergenceIndex index : left) let_go(index, splits_.next_place());
  return release(first);
}

/// Whether it yields by that.
bool ConvergenceBarrier::take_turn(unsigned slot) {
  turns_[slot] = is_alone() ? 0 : turns_[slot] + 1;
  if (turns_[slot] < kPollingTurns) return false;
  yield(slot);
  return true;
}

/// It goes behind all others.
void ConvergenceBarrier::yield(unsigned slot) {
  turns_[slot] = 0;
  yielded_.insert(slot);
  if (yielded_.contains(splits_.ready())) {
    clear_barriers();
    yielded_ = SlotSet();
  }
  splits_.wait(slot);
  splits_.release(slot);
}

ActiveMask ConvergenceBarrier::lanes_of(SlotSet slots) const {
  ActiveMask lanes;
  slots.for_each([&](unsigned slot) { lanes |= splits_[slot].lanes; });
  return lanes;
}

/// Those at which threads are blocked for nobody but threads that have yielded or wait for others. False if there are
/// none.
bool ConvergenceBarrier::clear_barriers() {
  const ActiveMask idle = lanes_of(yielded_ | awaiting_);
  std::vector<ReconvergenceIndex> cleared;
  reconvergences_.for_each([&](ReconvergenceIndex index, const ReconvergenceEntry& barrier) {
    if (barrier.lanes != barrier.pending && idle.contains(barrier.pending)) cleared.push_back(index);
  });
  for (const ReconvergenceIndex index : cleared) clear(index);
  return !cleared.empty();
}

/// Those that have come go on before all others; the others take part in it no longer, but in those around it.
void ConvergenceBarrier::clear(ReconvergenceIndex index) {
  const ReconvergenceEntry barrier = reconvergences_[index];
  splits_.used().for_each([&](unsigned slot) {
    if (splits_.entry(slot) == index) splits_.redirect(slot, barrier.reconvergence_pc, barrier.outer);
  });
  reconvergences_.pass_over(index);
  reconvergences_[index].lanes -= barrier.pending;
  reconvergences_[index].pending = {};
  let_go(index, {splits_.next_place().slot, 0});
}

/// The slot may be one of which the split before had turns.
void ConvergenceBarrier::let_go(ReconvergenceIndex index, SplitTable::Place place) {
  settle(index, place).for_each([&](unsigned slot) { turns_[slot] = 0; });
}

/// The innermost in which the threads of all take part, if there is any.
ReconvergenceIndex ConvergenceBarrier::common_barrier(SlotSet slots) const {
  const ActiveMask lanes = lanes_of(slots);
  ReconvergenceIndex index = splits_.entry(slots.lowest());
  while (index != kNoReconvergence && !reconvergences_[index].pending.contains(lanes))
    index = reconvergences_[index].outer;
  return index;
}

std::vector<StateTable> ConvergenceBarrier::tables() const {
  std::vector<StateTable> tables = MultiPath::tables();
  tables[1].name = "CB";
  return tables;
}

}  // namespace warpfork
