// Where threads that part come back to: the frames of the block-wide stack (CAPRI Figure 3).
#include <utility>

#include "divergence/block_compaction.h"

namespace warpfork {

/// The frame whose warps all these are, kNone if there are several.
FrameId BlockCompaction::common_frame(WarpSet group) const {
  const FrameId frame = places_[group.lowest()].frame;
  bool common = true;
  group.for_each([&](WarpId place) { common &= places_[place].frame == frame; });
  return common ? frame : CompactionFrame::kNone;
}

/// Begins the frame's next side, or ends the frame.
void BlockCompaction::next_side(FrameId id) {
  CompactionFrame& frame = frames_[id];
  if (frame.sides.empty()) return restore(id);
  const Pc pc = frame.sides.back().pc;
  const bool leaves = frame.parent != CompactionFrame::kNone && frame.sides.front().pc == pc;
  const FrameId into = leaves ? frame.parent : id;
  if (leaves) --frames_[into].running;
  const SideId side = sides_.beyond(frame.side, frame.branch, pc, frame.rpc);
  while (!frame.sides.empty() && frame.sides.back().pc == pc) {
    ParkedWarp& next = frame.sides.back();
    if (frame.u_mask == UMask::Set) formed_ |= WarpSet::lane(next.place);
    next.frame = into;
    next.side = side;
    resume(next);
    ++frames_[into].running;
    frame.sides.pop_back();
  }
  if (leaves) free_frame(id);
}

/// The warps of the frame go on as they were when they parted, without the threads that have exited.
void BlockCompaction::restore(FrameId id) {
  std::vector<ParkedWarp> warps = std::exchange(frames_[id].restore, {});
  for (ParkedWarp& parked : warps) come_back(parked);
  frames_[id].restore = std::move(warps);
  free_frame(id);
}

void BlockCompaction::come_back(ParkedWarp& parked) {
  ActiveMask& lanes = parked.warp.lanes;
  lanes.for_each([&](unsigned lane) {
    if (!live_[parked.warp.home[lane]].contains(lane)) lanes -= ActiveMask::lane(lane);
  });
  if (lanes.any() && parked.pc != sides_[parked.side].rpc)
    resume(parked);
  else
    arrive(parked.frame);
}

/// The warp in this place is where its sides meet, or has no threads left.
void BlockCompaction::arrive_from(WarpId place) {
  vacate(WarpSet::lane(place));
  arrive(places_[place].frame);
}

/// A warp of the frame is where its sides meet, or has no threads left.
void BlockCompaction::arrive(FrameId frame) {
  if (--frames_[frame].running == 0 && frame != kRoot) next_side(frame);
}

/// The warp goes on in its place.
void BlockCompaction::resume(const ParkedWarp& parked) {
  Place& place = places_[parked.place];
  place.frame = parked.frame;
  place.side = parked.side;
  place.turn = parked.turn;
  place.u_mask = parked.u_mask;
  place.warp = parked.warp;
  WarpSplit& split = split_in(parked.place);
  split.pc = parked.pc;
  split.lanes = parked.warp.lanes;
  split.reconvergence_pc = sides_[parked.side].rpc;
  list_homes(parked.place);
  sides_.enter(parked.side, parked.place);
  runnable_ |= WarpSet::lane(parked.place);
  changed_ |= WarpSet::lane(parked.place);
}

void BlockCompaction::list_homes(WarpId place) {
  const CompactedWarp& warp = places_[place].warp;
  WarpSplit& split = split_in(place);
  split.compacted = !warp.only_of(place);
  places_[place].homes.clear();
  if (split.compacted) warp.list_homes(places_[place].homes);
}

/// The warps in these places are gone.
void BlockCompaction::vacate(WarpSet places) {
  places.for_each([&](WarpId place) { sides_.leave(places_[place].side, place); });
  runnable_ -= places;
  changed_ |= places;
}

/// What is in the place now, to go on at `pc` in this turn.
ParkedWarp BlockCompaction::parked(WarpId place, Pc pc, unsigned turn) const {
  const Place& here = places_[place];
  return {pc, place, turn, here.warp, here.frame, here.side, here.u_mask};
}

FrameId BlockCompaction::push_frame(SideId side, Pc branch, Pc rpc, unsigned turn, WarpSet places) {
  if (free_frames_.empty()) {
    free_frames_.push_back(static_cast<FrameId>(frames_.size()));
    frames_.emplace_back();
  }
  const FrameId id = free_frames_.back();
  free_frames_.pop_back();
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
void BlockCompaction::free_frame(FrameId id) {
  sides_.release(frames_[id].side);
  frames_[id].restore.clear();
  frames_[id].places = WarpSet();
  free_frames_.push_back(id);
}

}  // namespace warpfork
