#include "divergence/warp_subdivision.h"

#include "divergence/distinct_paths.h"

namespace warpfork {

void WarpSubdivision::launch(SplitSlots slots, Pc entry, ActiveMask lanes) {
  slots_ = slots.data();
  launched_ = lanes;
  is_subdivided_ = false;
  exited_ = ActiveMask();
  stack_.launch(slots, entry, lanes);
}

bool WarpSubdivision::advance(unsigned slot, std::span<const Path> given, Pc reconvergence) {
  if (!is_subdivided_ && (given.size() < 2 || !subdivides(reconvergence)))
    return stack_.advance(slot, given, reconvergence);
  const DistinctPaths paths(given, slots_[slot]);
  if (is_subdivided_) {
    exited_ |= slots_[slot].lanes - paths.lanes();
    part(splits_.erase(slot), paths);
  } else if (paths.diverge()) {
    exited_ = slots_[slot].lanes - paths.lanes();
    top_ = slots_[slot];
    subdivide(paths, reconvergence);
  } else {
    stack_.advance(slot, given, reconvergence);
  }
  if (is_subdivided_ && splits_.used().none()) end_subdivision();
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

void WarpSubdivision::subdivide(const DistinctPaths& paths, Pc reconvergence) {
  is_subdivided_ = true;
  meeting_ = reconvergence;
  come_ = ActiveMask();
  splits_.launch(SplitSlots(slots_, kSplitsPerWarp), max_splits_);
  part(splits_.next_place(), paths);
}

/// The first side that does not end at once gets this place.
void WarpSubdivision::part(SplitTable::Place place, const DistinctPaths& paths) {
  for (const Path& path : paths.paths()) {
    if (path.pc == meeting_) {
      come_ |= path.lanes;
      continue;
    }
    splits_.insert(place, path.pc, path.pc, path.lanes, meeting_, kNoReconvergence);
    place = splits_.next_place();
  }
}

/// Those that have exited leave the stack with the branch, for which its top has stood all the time.
void WarpSubdivision::end_subdivision() {
  const Path together{meeting_, come_};
  is_subdivided_ = false;
  exited_ = ActiveMask();
  const unsigned slot = top_.id % kSplitsPerWarp;
  slots_[slot] = top_;
  stack_.advance(slot, std::span(&together, come_.any() ? 1 : 0), kNoPc);
}

bool WarpSubdivision::wait(unsigned slot) {
  if (!is_subdivided_) return stack_.wait(slot);
  splits_.wait(slot);
  return true;
}

bool WarpSubdivision::release(unsigned slot) {
  if (!is_subdivided_) return stack_.release(slot);
  splits_.release(slot);
  return true;
}

std::vector<StateTable> WarpSubdivision::tables() const {
  std::vector<StateTable> tables = stack_.tables();
  if (!is_subdivided_) return tables;
  tables[0].rows.back() = {pc_text(meeting_), pc_text(top_.reconvergence_pc),
                           top_.lanes.to_string(mask_width(launched_)), "subdivided"};
  tables.push_back(splits_.table(mask_width(launched_)));
  return tables;
}

}  // namespace warpfork
