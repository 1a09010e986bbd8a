#include "divergence/multi_path_or.h"

namespace warpfork {

bool MultiPathOr::advance(unsigned slot, std::span<const Path> paths, Pc reconvergence) {
  move(slot, paths, reconvergence).for_each([&](unsigned entered) {
    if (splits_.holds(entered) && !join_leader(entered)) join_early_entry(entered);
  });
  return true;
}

bool MultiPathOr::enter_block(unsigned slot, Pc first) {
  splits_.enter_block(slot, first);
  if (splits_.used() == SlotSet::single(slot) && reconvergences_.is_empty()) return false;
  return join_leader(slot) || join_early_entry(slot);
}

bool MultiPathOr::wait(unsigned slot) {
  splits_.forget_block(slot);
  const ReconvergenceIndex index = splits_.entry(slot);
  if (index != kNoReconvergence && reconvergences_[index].is_early) {
    reconvergences_.need(index);
    ReconvergenceEntry& early = reconvergences_[index];
    early.lanes -= splits_[slot].lanes;
    early.pending -= splits_[slot].lanes;
    splits_.redirect(slot, early.reconvergence_pc, early.outer);
    MultiPath::wait(slot);
    settle(index, splits_.next_place());
    return true;
  }
  return MultiPath::wait(slot);
}

bool MultiPathOr::join_leader(unsigned trailing) {
  for (SlotSet others = splits_.used() - SlotSet::single(trailing); others.any();
       others -= SlotSet::single(others.lowest())) {
    const unsigned leading = others.lowest();
    if (splits_.block(leading) != splits_.block(trailing) || splits_.entry(leading) != splits_.entry(trailing))
      continue;
    if (splits_[leading].pc == splits_[trailing].pc) {  // the leader has not moved yet: it takes the lanes over
      splits_.add_lanes(leading, splits_[trailing].lanes);
      splits_.erase(trailing);
    } else if (splits_[leading].pc > splits_[trailing].pc) {
      stop_leader(leading, trailing);
    } else {  // it has come back from an early reconvergence point that the other one did not find in the table
      stop_leader(trailing, leading);
    }
    return true;
  }
  return false;
}

void MultiPathOr::stop_leader(unsigned leading, unsigned trailing) {
  const WarpSplit& leader = splits_[leading];
  const ReconvergenceIndex early = reconvergences_.insert({.pc = leader.pc,
                                                           .reconvergence_pc = leader.reconvergence_pc,
                                                           .lanes = leader.lanes | splits_[trailing].lanes,
                                                           .pending = splits_[trailing].lanes,
                                                           .outer = splits_.entry(leading),
                                                           .block = splits_.block(leading),
                                                           .is_early = true});
  splits_.redirect(trailing, leader.pc, early);
  splits_.erase(leading);
}

bool MultiPathOr::join_early_entry(unsigned trailing) {
  const ReconvergenceIndex early =
      reconvergences_.find_early(splits_.block(trailing), splits_.entry(trailing), splits_[trailing].pc);
  if (early == kNoReconvergence) return false;
  reconvergences_[early].lanes |= splits_[trailing].lanes;
  reconvergences_[early].pending |= splits_[trailing].lanes;
  splits_.redirect(trailing, reconvergences_[early].pc, early);
  return true;
}

}  // namespace warpfork
