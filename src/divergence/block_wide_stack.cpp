#include "divergence/block_wide_stack.h"

#include <utility>

namespace warpfork {

void BlockWideStack::launch(Pc entry, std::span<const ActiveMask> lanes) {
  CompactionFrame& root = frames_[kRoot];
  root.places = WarpSet::first(static_cast<unsigned>(lanes.size()));
  for (WarpId warp = 0; warp < lanes.size(); ++warp) {
    if (lanes[warp].none()) continue;
    warps_.resume({.pc = entry, .place = warp, .warp = CompactedWarp::of(warp, lanes[warp])});
    ++root.running;
  }
}

void BlockWideStack::follow(WarpId place, Pc target, Pc reconvergence) {
  DynamicWarp& warp = warps_[place];
  WarpSplit& split = warps_.split(place);
  const Pc branch = std::exchange(split.pc, target), own = sides_[warp.side].rpc;
  const bool back = target <= branch;
  const Pc rpc = reconvergence == kNoPc || (back && target == reconvergence) ? own : reconvergence;
  const unsigned turn = warp.turn;
  if (back) ++warp.turn;
  if (target == rpc) return;
  const SideId side = sides_.beyond(warp.side, branch, target, rpc);
  if (side == warp.side) return;
  if (rpc != own) {
    const FrameId frame = push(warp.side, branch, rpc, turn, WarpSet::single(place));
    to_come_back(frame, place);
    frames_[frame].running = 1;
    warp.frame = frame;
    split.reconvergence_pc = rpc;
    effects_.changed |= WarpSet::single(place);
  }
  sides_.move(warp.side, side, place);
  warp.side = side;
  warp.u_mask = UMask::Clear;
}

Compaction BlockWideStack::part(WarpSet group, Pc reconvergence, bool regroup) {
  const SideId here = warps_[group.lowest()].side;
  const Pc branch = warps_.split(group.lowest()).pc, own = sides_[here].rpc;
  const std::span<const Pc> targets = formation_.list_targets(group, branch);
  const unsigned turn = warps_.align_turns(group);
  if (targets.size() == 1) {
    go_on_together(group, targets[0], reconvergence);
    return {.branch = branch, .waited = {}};
  }
  const Pc rpc = reconvergence == kNoPc ? own : reconvergence;
  const FrameId id = push(here, branch, rpc, turn, group);
  CompactionFrame& frame = frames_[id];
  frame.u_mask = regroup ? UMask::Set : UMask::Clear;
  group.for_each([&](WarpId place) {
    const std::vector<Path>& paths = warps_[place].paths;
    if (paths.size() == 1 && paths[0].pc == rpc) frame.skipping |= WarpSet::single(place);
  });
  if (rpc == own) frame.parent = common_frame(group);
  if (frame.parent == CompactionFrame::kNone)
    group.for_each([&](WarpId place) { to_come_back(id, place); });
  else
    frames_[frame.parent].running -= group.count() - 1;  // their place is taken by this frame
  warps_.vacate(group);
  const Compaction done = formation_.form_sides(frame, group);
  next_side(id);
  return done;
}

/// All threads of warps that were at the same branch on the same side have `target` next.
void BlockWideStack::go_on_together(WarpSet group, Pc target, Pc reconvergence) {
  if (target == sides_[warps_[group.lowest()].side].rpc)
    return group.for_each([&](WarpId place) { arrive_from(place); });
  group.for_each([&](WarpId place) { follow(place, target, reconvergence); });
  warps_.go_on(group);
}

FrameId BlockWideStack::push(SideId side, Pc branch, Pc rpc, unsigned turn, WarpSet places) {
  if (free_.empty()) {
    free_.push_back(static_cast<FrameId>(frames_.size()));
    frames_.emplace_back();
  }
  const FrameId id = free_.back();
  free_.pop_back();
  CompactionFrame& frame = frames_[id];
  frame.side = side;
  frame.branch = branch;
  frame.rpc = rpc;
  frame.turn = turn;
  frame.parent = CompactionFrame::kNone;
  frame.places = places;
  frame.skipping = WarpSet();
  frame.running = 0;
  frame.u_mask = UMask::Clear;
  sides_.hold(side);
  return id;
}

/// Its vectors keep their memory.
void BlockWideStack::free(FrameId id) {
  sides_.release(frames_[id].side);
  frames_[id].restore.clear();
  frames_[id].places = WarpSet();
  free_.push_back(id);
}

/// The warp in this place, as it is now, goes on behind the frame's sides: where these end before their branch as if it
/// had jumped back there.
void BlockWideStack::to_come_back(FrameId id, WarpId place) {
  CompactionFrame& frame = frames_[id];
  const bool back = frame.rpc <= frame.branch;
  SuspendedWarp& coming = frame.restore.emplace_back(warps_.suspended(place, frame.rpc, frame.turn + (back ? 1 : 0)));
  if (back) coming.side = sides_.region_of(coming.side);
}

/// The frame whose warps all these are, kNone if there are several.
FrameId BlockWideStack::common_frame(WarpSet group) const {
  const FrameId frame = warps_[group.lowest()].frame;
  bool common = true;
  group.for_each([&](WarpId place) { common &= warps_[place].frame == frame; });
  return common ? frame : CompactionFrame::kNone;
}

/// Begins the frame's next side, or ends the frame.
void BlockWideStack::next_side(FrameId id) {
  CompactionFrame& frame = frames_[id];
  if (frame.sides.empty()) return restore(id);
  const Pc pc = frame.sides.back().pc;
  const bool leaves = frame.parent != CompactionFrame::kNone && frame.sides.front().pc == pc;
  const FrameId into = leaves ? frame.parent : id;
  if (leaves) --frames_[into].running;
  const SideId side = sides_.beyond(frame.side, frame.branch, pc, frame.rpc);
  while (!frame.sides.empty() && frame.sides.back().pc == pc) {
    SuspendedWarp& next = frame.sides.back();
    if (frame.u_mask == UMask::Set) effects_.formed |= WarpSet::single(next.place);
    next.frame = into;
    next.side = side;
    warps_.resume(next);
    ++frames_[into].running;
    frame.sides.pop_back();
  }
  if (leaves) free(id);
}

/// The warps of the frame go on as they were when they parted, without the threads that have exited.
void BlockWideStack::restore(FrameId id) {
  std::vector<SuspendedWarp> warps = std::exchange(frames_[id].restore, {});
  for (SuspendedWarp& suspended : warps) come_back(suspended);
  frames_[id].restore = std::move(warps);
  free(id);
}

void BlockWideStack::come_back(SuspendedWarp& suspended) {
  suspended.warp.lanes = live_.of(suspended.warp);
  if (suspended.warp.lanes.any() && suspended.pc != sides_[suspended.side].rpc)
    warps_.resume(suspended);
  else
    arrive(suspended.frame);
}

void BlockWideStack::arrive_from(WarpId place) {
  warps_.vacate(WarpSet::single(place));
  arrive(warps_[place].frame);
}

/// A warp of the frame is where its sides meet, or has no threads left.
void BlockWideStack::arrive(FrameId frame) {
  if (--frames_[frame].running == 0 && frame != kRoot) next_side(frame);
}

bool BlockWideStack::resume_skipping() {
  WarpSet gone;
  for (CompactionFrame& frame : frames_) {
    const WarpSet skipping = std::exchange(frame.skipping, WarpSet());
    gone |= skipping;
    const auto skips = [&](const SuspendedWarp& suspended) { return skipping.contains(suspended.place); };
    for (SuspendedWarp& suspended : frame.restore)
      if (skips(suspended)) come_back(suspended);
    std::erase_if(frame.restore, skips);
  }
  return gone.any();
}

}  // namespace warpfork
