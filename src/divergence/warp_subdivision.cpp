#include "divergence/warp_subdivision.h"

#include "divergence/distinct_paths.h"

namespace warpfork {

void WarpSubdivision::launch(SplitSlots slots, Pc entry, ActiveMask lanes) {
  slots_ = slots.data();
  launched_ = lanes;
  exited_ = ActiveMask();
  splits_.launch(slots, max_splits_);
  stack_.launch(slots, entry, lanes);
}

bool WarpSubdivision::advance(unsigned slot, std::span<const Path> given, Pc reconvergence) {
  const WarpSplit split = slots_[slot];
  const DistinctPaths paths(given, split);
  if (is_subdivided()) {
    part(splits_.erase(slot), paths);
  } else if (paths.diverge() && subdivides(reconvergence)) {
    top_ = split;
    top_.pc = reconvergence;
    part(splits_.next_place(), paths);
  } else {
    return stack_.advance(slot, given, reconvergence);
  }
  exited_ |= split.lanes - paths.lanes();
  if (!is_subdivided()) end_subdivision();
  return true;
}

bool WarpSubdivision::subdivides(Pc reconvergence) const {
  if (limit_ == 0 || reconvergence == kNoPc || order_.empty()) return true;
  unsigned length = 1;
  while (length <= limit_ && reconvergence + length < order_.size() &&
         order_[reconvergence + length].number == order_[reconvergence].number)
    ++length;
  return length <= limit_;
}

/// The first side that does not end at once gets this place.
void WarpSubdivision::part(SplitTable::Place place, const DistinctPaths& paths) {
  for (const Path& path : paths.paths()) {
    if (path.pc == top_.pc) continue;
    splits_.insert(place, path.pc, path.pc, path.lanes, top_.pc, kNoReconvergence);
    place = splits_.next_place();
  }
}

/// Those that have exited leave the stack with the branch, for which its top has stood all the time.
void WarpSubdivision::end_subdivision() {
  const Path together{top_.pc, top_.lanes - exited_};
  const unsigned slot = top_.id % kSplitsPerWarp;
  slots_[slot] = top_;
  stack_.advance(slot, std::span(&together, together.lanes.any() ? 1 : 0), kNoPc);
}

bool WarpSubdivision::wait(unsigned slot) {
  if (!is_subdivided()) return stack_.wait(slot);
  splits_.wait(slot);
  return true;
}

bool WarpSubdivision::release(unsigned slot) {
  if (!is_subdivided()) return stack_.release(slot);
  splits_.release(slot);
  return true;
}

std::vector<StateTable> WarpSubdivision::tables() const {
  std::vector<StateTable> tables = stack_.tables();
  if (!is_subdivided()) return tables;
  tables[0].rows.back() = {pc_text(top_.pc), pc_text(top_.reconvergence_pc),
                           top_.lanes.to_string(mask_width(launched_)), "subdivided"};
  tables.push_back(splits_.table(mask_width(launched_)));
  return tables;
}

}  // namespace warpfork
