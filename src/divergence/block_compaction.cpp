#include "divergence/block_compaction.h"

#include <algorithm>

#include "divergence/distinct_paths.h"
#include "divergence/table_text.h"

namespace warpfork {

void BlockCompaction::launch(Pc entry, std::span<const ActiveMask> lanes) {
  if (places_.size() != lanes.size()) {
    places_.assign(lanes.size(), Place{});
    make_splits(lanes.size());
  }
  if (frames_.empty()) frames_.emplace_back(numbers_);
  frames_[kRoot].visits.clear();
  frames_[kRoot].places = WarpSet::first(static_cast<unsigned>(lanes.size()));
  live_.assign(lanes.begin(), lanes.end());
  if (oracle_) {
    oracle_->start_block(block_, lanes.size());
    decisions_.resize(lanes.size());
  }
  launched_ = ActiveMask();
  for (WarpId warp = 0; warp < lanes.size(); ++warp) {
    live_threads_ += lanes[warp].count();
    launched_ |= lanes[warp];
    if (lanes[warp].any()) resume(kRoot, {entry, warp, 0, CompactedWarp::of(warp, lanes[warp])});
  }
}

void BlockCompaction::begin_call() {
  changed_ = formed_ = WarpSet();
  compactions_.clear();
}

WarpSet BlockCompaction::advance(SplitId id, std::span<const Path> given, Pc reconvergence) {
  begin_call();
  const WarpSplit& split = splits_[id];
  if (oracle_) [[unlikely]]
    tell_oracle(split);
  if (goes_on_alone(split, given, reconvergence)) {
    go_on(split.warp, given[0].pc);
    return WarpSet();
  }
  const FrameId frame = places_[split.warp].frame;
  const DistinctPaths paths(given, split);
  if (paths.lanes() != split.lanes) exit(split.warp, paths.lanes());
  if (paths.lanes().any()) branch(split.warp, paths, reconvergence);
  settle(frame);
  if (live_threads_ == 0) changed_ = frames_[kRoot].places;
  return changed_;
}

/// All threads go the same way, and the warp neither arrives nor waits, nor does another warp wait for it.
bool BlockCompaction::goes_on_alone(const WarpSplit& split, std::span<const Path> paths, Pc reconvergence) const {
  if (paths.size() != 1 || paths[0].lanes != split.lanes || paths[0].pc == split.reconvergence_pc) return false;
  const CompactionFrame& frame = frames_[places_[split.warp].frame];
  if (!frame.meetings.empty()) return false;
  if (frame.shadows.miss(split.pc, split.warp)) return false;
  if (who_waits_ == BranchWait::DivergingWarps || paths[0].pc == reconvergence) return true;
  return (frame.places & runnable_) == WarpSet::lane(split.warp);  // nobody could come
}

void BlockCompaction::branch(WarpId place, const DistinctPaths& paths, Pc reconvergence) {
  const WarpSplit& split = split_in(place);
  const Pc first = paths.paths()[0].pc;
  if (paths.diverge()) {
    end_shadow_of(place);
    if (should_wait(place)) return meet(place, paths.paths(), reconvergence);
    pass(place);
    places_[place].paths.assign(paths.paths().begin(), paths.paths().end());
    bypass(place, reconvergence);
    part(places_[place].frame, WarpSet::lane(place), split.pc, reconvergence, false);
  } else if (first == split.reconvergence_pc) {
    vacate(WarpSet::lane(place));
  } else if (who_waits_ == BranchWait::EveryWarp && first != reconvergence) {
    meet(place, paths.paths(), reconvergence);
  } else {
    go_on(place, first);
  }
}

bool BlockCompaction::should_wait(WarpId place) {
  const Pc branch = split_in(place).pc;
  if (!oracle_) return predictor_->adequate(branch);
  HomeLanes alone;
  decisions_[place] = oracle_->decide(branch, threads_in(place, alone));
  return decisions_[place].wait;
}

/// Apart, so that advance() is as short without an oracle as it was.
[[gnu::noinline]] void BlockCompaction::tell_oracle(const WarpSplit& split) {
  HomeLanes alone;
  oracle_->execute(split.pc, threads_in(split.warp, alone));
}

/// The threads of the warp in this place by home warp; in `alone` if it has but one.
std::span<const HomeLanes> BlockCompaction::threads_in(WarpId place, HomeLanes& alone) const {
  const WarpSplit& split = split_in(place);
  if (split.compacted) return places_[place].homes;
  alone = {place, split.lanes};
  return {&alone, 1};
}

void BlockCompaction::exit(WarpId place, ActiveMask remaining) {
  CompactedWarp& warp = places_[place].warp;
  const ActiveMask exited = warp.lanes - remaining;
  exited.for_each([&](unsigned lane) { live_[warp.home[lane]] -= ActiveMask::lane(lane); });
  live_threads_ -= exited.count();
  warp.lanes = remaining;
  if (remaining.none()) return vacate(WarpSet::lane(place));
  resume(places_[place].frame, {split_in(place).pc, place, places_[place].turn, CompactedWarp(warp)});
}

/// The warp does not wait at its branch.
void BlockCompaction::pass(WarpId place) {
  const Pc branch = split_in(place).pc;
  CompactionFrame& frame = frames_[places_[place].frame];
  const unsigned turn = places_[place].turn;
  if (ShadowMeeting* const shadow = frame.shadows.at(branch)) shadow->came |= WarpSet::lane(place);
  if (frame.meeting_at(branch) != nullptr) {
    frame.visits.add(branch, WarpSet::lane(place));
  } else {
    frame.visits.come(branch, turn);
    frame.visits.add(branch, turn, place);
  }
}

/// The warp parts without waiting: from now on the compaction unit counts what it would have done.
void BlockCompaction::bypass(WarpId place, Pc reconvergence) {
  const Pc branch = split_in(place).pc;
  CompactionFrame& frame = frames_[places_[place].frame];
  ShadowMeeting* shadow = frame.shadows.at(branch);
  if (shadow == nullptr) {
    shadow = &frame.shadows.begin(branch, reconvergence == kNoPc ? frame.rpc : reconvergence);
    if (const Rendezvous* const meeting = frame.meeting_at(branch))
      meeting->waiting.for_each([&](WarpId other) { count_in_shadow(frame, *shadow, other); });
  }
  count_in_shadow(frame, *shadow, place);
  ++shadow->bypassed;
}

void BlockCompaction::count_in_shadow(CompactionFrame& frame, ShadowMeeting& shadow, WarpId place) {
  frame.shadows.add(shadow, place, places_[place].paths);
  if (oracle_) frame.shadows.note(shadow, decisions_[place]);
}

/// A warp that a shadow meeting counts already parts at its branch again (in a loop): the meeting ends as it is, for a
/// warp that waited could not have come twice.
void BlockCompaction::end_shadow_of(WarpId place) {
  CompactionFrame& frame = frames_[places_[place].frame];
  const ShadowMeeting* const shadow = frame.shadows.at(split_in(place).pc);
  if (shadow != nullptr && shadow->parted.contains(place)) judge(frame, *shadow);
}

/// The shadow meetings to which nobody can come any more, after those who waited at their branch.
void BlockCompaction::end_shadows(CompactionFrame& frame) {
  const auto over = [&](const ShadowMeeting& shadow) {
    return (awaited(frame, shadow.branch) - shadow.came).none() && frame.meeting_at(shadow.branch) == nullptr;
  };
  while (true) {
    const auto shadow = std::ranges::find_if(frame.shadows.all(), over);
    if (shadow == frame.shadows.all().end()) return;
    judge(frame, *shadow);
  }
}

/// Whether the advice not to wait was right; what comes of it is the branch's latest outcome.
void BlockCompaction::judge(CompactionFrame& frame, const ShadowMeeting& shadow) {
  changed_ |= WarpSet::lane(shadow.parted.lowest());  // so that the call is heard
  const Compaction judged = frame.shadows.end(shadow.branch);
  predictor_->update(judged.branch, judged.paid());
  if (oracle_) frame.shadows.judge(judged.branch, judged.paid(), *oracle_);
  compactions_.push_back(judged);
}

/// All threads of the warp go to `target`.
void BlockCompaction::go_on(WarpId place, Pc target) {
  pass(place);
  WarpSplit& split = split_in(place);
  if (target <= split.pc) ++places_[place].turn;
  split.pc = target;
}

void BlockCompaction::meet(WarpId place, std::span<const Path> paths, Pc reconvergence) {
  places_[place].paths.assign(paths.begin(), paths.end());
  runnable_ -= WarpSet::lane(place);
  changed_ |= WarpSet::lane(place);
  const Pc branch = split_in(place).pc;
  CompactionFrame& frame = frames_[places_[place].frame];
  if (ShadowMeeting* const shadow = frame.shadows.at(branch)) count_in_shadow(frame, *shadow, place);
  if (Rendezvous* const meeting = frame.meeting_at(branch)) {
    meeting->waiting |= WarpSet::lane(place);
    return;
  }
  frame.visits.come(branch, places_[place].turn);
  frame.meetings.push_back({branch, reconvergence, WarpSet::lane(place)});
}

WarpSet BlockCompaction::wait(SplitId id) {
  begin_call();
  const WarpId place = splits_[id].warp;
  runnable_ -= WarpSet::lane(place);
  changed_ = WarpSet::lane(place);
  settle(places_[place].frame);
  return changed_;
}

WarpSet BlockCompaction::release(SplitId id) {
  begin_call();
  const WarpSet place = WarpSet::lane(splits_[id].warp);
  runnable_ |= place;
  return place;
}

/// After a warp of this frame has stopped: what may begin now in it and in those below it.
void BlockCompaction::settle(FrameId frame) {
  while (frame != CompactionFrame::kNone) {
    if (!frames_[frame].shadows.empty()) end_shadows(frames_[frame]);
    if (frame != kRoot && frames_[frame].done())
      frame = next_side(frame);
    else if (!end_a_meeting(frame))
      frame = frames_[frame].parent;
  }
}

/// Places whose warps may still come to the branch by themselves.
WarpSet BlockCompaction::awaited(const CompactionFrame& frame, Pc branch) const {
  return (frame.places & runnable_) - frame.visits.of(branch);
}

/// The oldest meeting to which nobody can come any more.
bool BlockCompaction::end_a_meeting(FrameId id) {
  CompactionFrame& frame = frames_[id];
  for (auto meeting = frame.meetings.begin(); meeting != frame.meetings.end(); ++meeting) {
    if (awaited(frame, meeting->branch).any()) continue;
    const Rendezvous over = *meeting;
    frame.meetings.erase(meeting);
    frame.visits.add(over.branch, over.waiting);
    part(id, over.waiting, over.branch, over.reconvergence, true);
    return true;
  }
  return false;
}

void BlockCompaction::part(FrameId parent, WarpSet group, Pc branch, Pc reconvergence, bool waited) {
  list_targets(group, branch);
  unsigned turn = 0;  // henceforth that of all
  group.for_each([&](WarpId place) { turn = std::max(turn, places_[place].turn); });
  const auto turn_at = [&](Pc target) { return turn + (target <= branch ? 1 : 0); };
  if (targets_.size() == 1) {
    group.for_each([&](WarpId place) {
      split_in(place).pc = targets_[0];
      places_[place].turn = turn_at(targets_[0]);
    });
    runnable_ |= group;
    changed_ |= group;
    compactions_.push_back({.branch = branch, .waited = group});
    return;
  }
  vacate(group);
  const Pc own = frames_[parent].rpc, rpc = reconvergence == kNoPc ? own : reconvergence;
  const FrameId child = push_frame(parent, rpc, group);
  CompactionFrame& frame = frames_[child];
  frame.compacted = waited;
  if (rpc != own)
    group.for_each([&](WarpId place) { frame.restore.push_back({rpc, place, turn_at(rpc), places_[place].warp}); });
  Compaction done{.branch = branch, .waited = waited ? group : WarpSet(), .parted = true};
  for (std::size_t side = targets_.size(); side-- > 0;) {
    const Pc target = targets_[side];
    if (target == rpc) continue;
    take_side(group, target);
    done.before += unit_.before();
    done.after += unit_.after();
    WarpSet places = group;
    for (const CompactedWarp& warp : unit_.warps()) {
      frame.sides.push_back({target, places.lowest(), turn_at(target), warp});
      places -= WarpSet::lane(places.lowest());
    }
  }
  if (waited) predictor_->update(branch, done.paid());
  if (waited && oracle_) group.for_each([&](WarpId place) { oracle_->met(decisions_[place], done.paid()); });
  compactions_.push_back(done);
  next_side(child);
}

/// Where the warps of the group go: in the order in which each of them would try its own, a fall-through last.
void BlockCompaction::list_targets(WarpSet group, Pc branch) {
  targets_.clear();
  group.for_each([&](WarpId place) {
    auto next = targets_.end();  // of what comes later for this warp
    for (auto path = places_[place].paths.rbegin(); path != places_[place].paths.rend(); ++path) {
      const auto known = std::find(targets_.begin(), targets_.end(), path->pc);
      if (known != targets_.end()) {
        next = known;
        continue;
      }
      if (next == targets_.end() && path->pc != branch + 1)
        next = std::find(targets_.begin(), targets_.end(), branch + 1);
      next = targets_.insert(next, path->pc);
    }
  });
}

void BlockCompaction::take_side(WarpSet group, Pc target) {
  unit_.clear();
  group.for_each([&](WarpId place) {
    for (const Path& path : places_[place].paths)
      if (path.pc == target) unit_.take(places_[place].warp, path.lanes);
  });
}

/// Begins the frame's next side, or ends the frame. Returns the frame whose warps now run.
BlockCompaction::FrameId BlockCompaction::next_side(FrameId id) {
  CompactionFrame& frame = frames_[id];
  const FrameId parent = frame.parent;
  if (frame.sides.empty()) {
    for (ParkedWarp& parked : frame.restore) {
      ActiveMask& lanes = parked.warp.lanes;
      lanes.for_each([&](unsigned lane) {
        if (!live_[parked.warp.home[lane]].contains(lane)) lanes -= ActiveMask::lane(lane);
      });
      if (lanes.any()) resume(parent, parked);
    }
    free_frame(id);
    return parent;
  }
  const Pc pc = frame.sides.back().pc;
  const bool leaves = frame.restore.empty() && frame.sides.front().pc == pc;
  const FrameId into = leaves ? parent : id;
  while (!frame.sides.empty() && frame.sides.back().pc == pc) {
    if (frame.compacted) formed_ |= WarpSet::lane(frame.sides.back().place);
    resume(into, frame.sides.back());
    frame.sides.pop_back();
  }
  if (leaves) free_frame(id);
  return into;
}

/// The warp goes on in its place, in this frame.
void BlockCompaction::resume(FrameId frame, const ParkedWarp& parked) {
  Place& place = places_[parked.place];
  place.frame = frame;
  place.turn = parked.turn;
  place.warp = parked.warp;
  WarpSplit& split = split_in(parked.place);
  split.pc = parked.pc;
  split.lanes = parked.warp.lanes;
  split.reconvergence_pc = frames_[frame].rpc;
  split.compacted = !parked.warp.only_of(parked.place);
  place.homes.clear();
  if (split.compacted) parked.warp.list_homes(place.homes);
  const WarpSet here = WarpSet::lane(parked.place);
  frames_[frame].members |= here;
  runnable_ |= here;
  changed_ |= here;
}

/// The warps in these places, all of one frame, are gone.
void BlockCompaction::vacate(WarpSet places) {
  frames_[places_[places.lowest()].frame].members -= places;
  runnable_ -= places;
  changed_ |= places;
}

BlockCompaction::FrameId BlockCompaction::push_frame(FrameId parent, Pc rpc, WarpSet places) {
  if (free_frames_.empty()) {
    free_frames_.push_back(static_cast<FrameId>(frames_.size()));
    frames_.emplace_back(numbers_);
  }
  const FrameId id = free_frames_.back();
  free_frames_.pop_back();
  CompactionFrame& frame = frames_[id];
  frame.parent = parent;
  frame.rpc = rpc;
  frame.places = places;
  frame.visits.clear();
  ++frames_[parent].children;
  return id;
}

/// Its vectors are empty but for `restore`, and keep their memory.
void BlockCompaction::free_frame(FrameId id) {
  --frames_[frames_[id].parent].children;
  frames_[id].restore.clear();
  frames_[id].places = WarpSet();
  free_frames_.push_back(id);
}

std::string BlockCompaction::describe(WarpId place) const {
  std::string text = "stack    pc   rpc  lanes\n";
  FrameId frame = kRoot;
  const auto holds_place = [&](const CompactionFrame& child) {
    return child.parent == frame && child.places.contains(place);
  };
  const auto add = [&](const ParkedWarp& parked, Pc rpc) {
    if (parked.place == place) text += row(parked.pc, rpc, parked.warp) + "\n";
  };
  while (true) {
    const auto child = std::find_if(frames_.begin(), frames_.end(), holds_place);
    if (child == frames_.end()) break;
    for (const ParkedWarp& parked : child->restore) add(parked, frames_[frame].rpc);
    for (const ParkedWarp& parked : child->sides) add(parked, child->rpc);
    frame = static_cast<FrameId>(child - frames_.begin());
  }
  if (!frames_[frame].members.contains(place)) return text;
  text += row(split_in(place).pc, frames_[frame].rpc, places_[place].warp) + "  top";
  if (!runnable_.contains(place)) text += ", waits";
  for (const Rendezvous& meeting : frames_[frame].meetings)
    if (meeting.waiting.contains(place)) {
      text += " for";
      awaited(frames_[frame], meeting.branch).for_each([&](WarpId other) { text += fmt::format(" {}", other); });
    }
  return text + "\n";
}

std::string BlockCompaction::row(Pc pc, Pc rpc, const CompactedWarp& warp) const {
  const unsigned width = mask_width(launched_);
  std::vector<HomeLanes> homes;
  warp.list_homes(homes);
  ActiveMask alive;
  for (const HomeLanes& home : homes) alive |= home.lanes & live_[home.warp];
  std::string text = fmt::format("      {:>5} {:>5}  {} ", pc_text(pc), pc_text(rpc), alive.to_string(width));
  for (const HomeLanes& home : homes) {
    const ActiveMask lanes = home.lanes & live_[home.warp];
    if (lanes.any()) text += fmt::format(" {}:{}", home.warp, lanes.to_string(width));
  }
  return text;
}

}  // namespace warpfork
