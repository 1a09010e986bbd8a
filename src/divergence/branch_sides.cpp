#include "divergence/branch_sides.h"

#include <utility>

namespace warpfork {

SideId BranchSides::beyond(SideId from, Pc branch, Pc target, Pc rpc) {
  const bool back = target <= branch;
  SideId around = from;
  if (rpc != sides_[from].rpc)
    around = child(from, branch, kNoPc, rpc);
  else if (back)
    around = region_of(from);
  return back ? around : child(around, branch, target, rpc);
}

SideId BranchSides::region_of(SideId side) const {
  while (sides_[side].target != kNoPc) side = sides_[side].parent;
  return side;
}

/// A region is known by its rpc, a side by its branch and target.
SideId BranchSides::child(SideId parent, Pc branch, Pc target, Pc rpc) {
  for (SideId id = sides_[parent].first_child; id != BranchSide::kNone; id = sides_[id].next_sibling) {
    const BranchSide& side = sides_[id];
    if (side.target == target && (target == kNoPc ? side.rpc == rpc : side.branch == branch)) return id;
  }
  if (free_.empty()) {
    free_.push_back(static_cast<SideId>(sides_.size()));
    sides_.emplace_back();
  }
  const SideId id = free_.back();
  free_.pop_back();
  BranchSide& side = sides_[id];
  side.parent = parent;
  side.next_sibling = std::exchange(sides_[parent].first_child, id);
  side.branch = branch;
  side.target = target;
  side.rpc = rpc;
  return id;
}

void BranchSides::enter(SideId side, WarpId place) {
  for (; side != BranchSide::kNone; side = sides_[side].parent) sides_[side].inside |= WarpSet::single(place);
}

void BranchSides::leave(SideId side, WarpId place) {
  for (SideId id = side; id != BranchSide::kNone; id = sides_[id].parent) sides_[id].inside -= WarpSet::single(place);
  reap(side);
}

void BranchSides::move(SideId from, SideId to, WarpId place) {
  SideId common = to;  // the innermost side that holds both
  for (; !sides_[common].inside.contains(place); common = sides_[common].parent)
    sides_[common].inside |= WarpSet::single(place);
  for (SideId id = from; id != common; id = sides_[id].parent) sides_[id].inside -= WarpSet::single(place);
  reap(from);
}

void BranchSides::reap(SideId id) {
  while (id != kRoot && sides_[id].idle()) {
    const SideId parent = sides_[id].parent;
    SideId* link = &sides_[parent].first_child;
    while (*link != id) link = &sides_[*link].next_sibling;
    *link = sides_[id].next_sibling;
    sides_[id].visits.clear();
    free_.push_back(id);
    id = parent;
  }
}

WarpSet BranchSides::members(SideId side) const {
  WarpSet members = sides_[side].inside;
  for (SideId id = sides_[side].first_child; id != BranchSide::kNone; id = sides_[id].next_sibling)
    members -= sides_[id].inside;
  return members;
}

}  // namespace warpfork
