#include "divergence/multi_path.h"

namespace warpfork {

void MultiPath::launch(SplitSlots slots, Pc entry, ActiveMask lanes) {
  launched_ = live_ = lanes;
  reconvergences_.clear();
  splits_.launch(slots, max_splits_);
  if (lanes.any()) splits_.insert(splits_.next_place(), entry, entry, lanes, kNoPc, kNoReconvergence);
}

bool MultiPath::advance(unsigned slot, std::span<const Path> paths, Pc reconvergence) {
  move(slot, paths, reconvergence);
  return true;
}

SlotSet MultiPath::move(unsigned slot, std::span<const Path> given, Pc reconvergence) {
  const WarpSplit split = splits_[slot];
  const DistinctPaths paths(given, split);
  ReconvergenceIndex entry = splits_.entry(slot);
  SplitTable::Place place = splits_.erase(slot);
  live_ -= split.lanes - paths.lanes();
  reconvergences_.remove(entry, split.lanes - paths.lanes());

  Pc rpc = split.reconvergence_pc;
  if (paths.diverge() && reconvergence != kNoPc && reconvergence != rpc) {
    entry = reconvergences_.insert({.pc = reconvergence,
                                    .reconvergence_pc = rpc,
                                    .lanes = paths.lanes(),
                                    .pending = paths.lanes(),
                                    .outer = entry,
                                    .block = reconvergence});
    rpc = reconvergence;
    place.slot = splits_.next_place().slot;
  }
  SlotSet entered;
  for (const Path& path : paths.paths()) {
    if (path.pc == rpc) {
      if (entry != kNoReconvergence) reconvergences_.arrive(entry, path.lanes);
      continue;
    }
    splits_.insert(place, path.pc, path.pc, path.lanes, rpc, entry);
    entered |= SlotSet::single(place.slot);
    place = splits_.next_place();
  }
  return entered | settle(entry, place);
}

SlotSet MultiPath::settle(ReconvergenceIndex innermost, SplitTable::Place place) {
  for (ReconvergenceIndex index = innermost; index != kNoReconvergence && reconvergences_.holds(index);) {
    const ReconvergenceEntry entry = reconvergences_[index];
    if (entry.pending.any()) break;
    if (entry.lanes.any()) reconvergences_.need(index);
    reconvergences_.erase(index);
    if (entry.lanes.any()) {
      splits_.insert(place, entry.pc, entry.block, entry.lanes, entry.reconvergence_pc, entry.outer);
      return SlotSet::single(place.slot);
    }
    index = entry.outer;  // all its lanes have exited; those around it may have waited for them
  }
  return SlotSet();
}

bool MultiPath::wait(unsigned slot) {
  splits_.wait(slot);
  return true;
}

bool MultiPath::release(unsigned slot) {
  splits_.release(slot);
  return true;
}

std::vector<StateTable> MultiPath::tables() const {
  return {splits_.table(mask_width(launched_)), reconvergences_.table(mask_width(launched_))};
}

}  // namespace warpfork
