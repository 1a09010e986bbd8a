#include "divergence/block_compaction.h"

#include <algorithm>
#include <utility>

#include "divergence/distinct_paths.h"

namespace warpfork {

void BlockCompaction::launch(Pc entry, std::span<const ActiveMask> lanes) {
  if (places_.size() != lanes.size()) {
    places_.assign(lanes.size(), Place{});
    make_splits(lanes.size());
  }
  if (frames_.empty()) frames_.emplace_back();
  frames_[kRoot].places = WarpSet::first(static_cast<unsigned>(lanes.size()));
  sides_.launch();
  live_.assign(lanes.begin(), lanes.end());
  if (oracle_) {
    oracle_->start_block(block_, lanes.size());
    decisions_.resize(lanes.size());
  }
  launched_ = ActiveMask();
  for (WarpId warp = 0; warp < lanes.size(); ++warp) {
    live_threads_ += lanes[warp].count();
    launched_ |= lanes[warp];
    if (lanes[warp].none()) continue;
    resume({.pc = entry, .place = warp, .warp = CompactedWarp::of(warp, lanes[warp])});
    ++frames_[kRoot].running;
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
  if (goes_on_alone(split, given)) {
    go_on(split.warp, given[0].pc, reconvergence);
    return changed_;
  }
  const DistinctPaths paths(given, split);
  if (paths.lanes() != split.lanes) exit(split.warp, paths.lanes());
  if (paths.lanes().any()) branch(split.warp, paths, reconvergence);
  settle();
  if (live_threads_ == 0) changed_ = frames_[kRoot].places;
  return changed_;
}

WarpSet BlockCompaction::jump(SplitId id, Pc target) {
  begin_call();
  const WarpId place = splits_[id].warp;
  if (target == splits_[id].reconvergence_pc)
    arrive_from(place);
  else
    follow(place, target, target);
  settle();
  return changed_;
}

/// All threads go the same way, and the warp neither arrives nor waits, nor does another warp wait.
bool BlockCompaction::goes_on_alone(const WarpSplit& split, std::span<const Path> paths) const {
  if (paths.size() != 1 || paths[0].lanes != split.lanes || paths[0].pc == split.reconvergence_pc) return false;
  if (!meetings_.empty() || !shadowed_.empty()) return false;
  if (who_waits_ == BranchWait::DivergingWarps) return true;
  const Place& place = places_[split.warp];
  return (awaited(place.side, split.pc, place.turn) - WarpSet::lane(split.warp)).none();  // nobody could come
}

void BlockCompaction::branch(WarpId place, const DistinctPaths& paths, Pc reconvergence) {
  const WarpSplit& split = split_in(place);
  if (who_waits_ == BranchWait::EveryWarp) return meet(place, paths.paths(), reconvergence);
  const Pc first = paths.paths()[0].pc;
  if (paths.diverge()) {
    end_shadow_of(place);
    if (should_wait(place)) return meet(place, paths.paths(), reconvergence);
    pass(place);
    places_[place].paths.assign(paths.paths().begin(), paths.paths().end());
    bypass(place, reconvergence);
    part(WarpSet::lane(place), reconvergence, false);
  } else if (first == split.reconvergence_pc) {
    arrive_from(place);
  } else {
    go_on(place, first, reconvergence);
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
  if (remaining.none()) return arrive_from(place);
  WarpSplit& split = split_in(place);
  split.lanes = remaining;
  list_homes(place);
  changed_ |= WarpSet::lane(place);
}

/// The warp does not wait at its branch. Who waits there does not wait for it either, whatever its turn.
void BlockCompaction::pass(WarpId place) {
  const Pc branch = split_in(place).pc;
  const SideId side = places_[place].side;
  unsigned turn = places_[place].turn;
  if (ShadowMeeting* const shadow = sides_.shadows(side).at(branch)) shadow->came |= WarpSet::lane(place);
  if (const Rendezvous* const meeting = meeting_at(side, branch)) turn = std::max(turn, meeting->turn);
  sides_.visit(side, branch, turn, place);
}

/// All threads of the warp go to `target`. It comes back to the side that it is on now, unless that ends where the
/// branch's sides meet.
void BlockCompaction::go_on(WarpId place, Pc target, Pc reconvergence) {
  pass(place);
  follow(place, target, reconvergence);
}

void BlockCompaction::follow(WarpId place, Pc target, Pc reconvergence) {
  Place& here = places_[place];
  WarpSplit& split = split_in(place);
  const Pc branch = std::exchange(split.pc, target), own = sides_[here.side].rpc;
  const bool back = target <= branch;
  const Pc rpc = reconvergence == kNoPc || (back && target == reconvergence) ? own : reconvergence;
  const unsigned turn = here.turn;
  if (back) ++here.turn;
  if (target == rpc) return;
  const SideId side = sides_.beyond(here.side, branch, target, rpc);
  if (side == here.side) return;
  if (rpc != own) {
    const FrameId frame = push_frame(here.side, branch, rpc, turn, WarpSet::lane(place));
    frames_[frame].restore.push_back(parked(place, rpc, rpc <= branch ? turn + 1 : turn));
    frames_[frame].running = 1;
    here.frame = frame;
    split.reconvergence_pc = rpc;
    changed_ |= WarpSet::lane(place);
  }
  sides_.move(here.side, side, place);
  here.side = side;
  here.u_mask = UMask::Clear;
}

void BlockCompaction::meet(WarpId place, std::span<const Path> paths, Pc reconvergence) {
  Place& here = places_[place];
  here.paths.assign(paths.begin(), paths.end());
  runnable_ -= WarpSet::lane(place);
  changed_ |= WarpSet::lane(place);
  const Pc branch = split_in(place).pc;
  if (ShadowMeeting* const shadow = sides_.shadows(here.side).at(branch)) count_in_shadow(*shadow, place);
  Rendezvous* meeting = meeting_at(here.side, branch);
  if (meeting == nullptr) meeting = &meetings_.emplace_back(Rendezvous{here.side, branch, reconvergence, {}, 0});
  meeting->waiting |= WarpSet::lane(place);
  meeting->turn = std::max(meeting->turn, here.turn);
}

/// The meeting at this branch, or null.
Rendezvous* BlockCompaction::meeting_at(SideId side, Pc branch) {
  for (Rendezvous& meeting : meetings_)
    if (meeting.side == side && meeting.branch == branch) return &meeting;
  return nullptr;
}

WarpSet BlockCompaction::wait(SplitId id) {
  begin_call();
  const WarpId place = splits_[id].warp;
  runnable_ -= WarpSet::lane(place);
  changed_ = WarpSet::lane(place);
  settle();
  return changed_;
}

WarpSet BlockCompaction::release(SplitId id) {
  begin_call();
  const WarpSet place = WarpSet::lane(splits_[id].warp);
  runnable_ |= place;
  return place;
}

/// After a warp has stopped or gone on: whom nobody waits for any more.
void BlockCompaction::settle() {
  do {
    if (!shadowed_.empty()) end_shadows();
  } while (end_a_meeting() || let_skipping_warps_go());
}

/// If barriers keep all that have something to run, those go on who wait where they will meet them: a barrier may wait
/// for them too, or for them to exit.
bool BlockCompaction::let_skipping_warps_go() {
  if (runnable_.any()) return false;
  WarpSet gone;
  for (CompactionFrame& frame : frames_) {
    const WarpSet skipping = std::exchange(frame.skipping, WarpSet());
    gone |= skipping;
    const auto skips = [&](const ParkedWarp& parked) { return skipping.contains(parked.place); };
    for (ParkedWarp& parked : frame.restore)
      if (skips(parked)) come_back(parked);
    std::erase_if(frame.restore, skips);
  }
  return gone.any();
}

/// The oldest meeting to which nobody can come any more.
bool BlockCompaction::end_a_meeting() {
  for (auto meeting = meetings_.begin(); meeting != meetings_.end(); ++meeting) {
    if (awaited(meeting->side, meeting->branch, meeting->turn).any()) continue;
    const Rendezvous over = *meeting;
    meetings_.erase(meeting);
    over.waiting.for_each([&](WarpId place) { sides_.visit(over.side, over.branch, over.turn, place); });
    part(over.waiting, over.reconvergence, true);
    return true;
  }
  return false;
}

/// The threads of warps that are at the same branch on the same side go where their paths say.
void BlockCompaction::part(WarpSet group, Pc reconvergence, bool waited) {
  const SideId here = places_[group.lowest()].side;
  const Pc branch = split_in(group.lowest()).pc, own = sides_[here].rpc;
  list_targets(group, branch);
  unsigned turn = 0;  // henceforth that of all
  group.for_each([&](WarpId place) { turn = std::max(turn, places_[place].turn); });
  group.for_each([&](WarpId place) { places_[place].turn = turn; });
  if (targets_.size() == 1) {
    compactions_.push_back({.branch = branch, .waited = group});
    return go_on_together(group, targets_[0], reconvergence);
  }
  const Pc rpc = reconvergence == kNoPc ? own : reconvergence;
  const FrameId id = push_frame(here, branch, rpc, turn, group);
  CompactionFrame& frame = frames_[id];
  frame.u_mask = waited ? UMask::Set : UMask::Clear;
  group.for_each([&](WarpId place) {
    const std::vector<Path>& paths = places_[place].paths;
    if (paths.size() == 1 && paths[0].pc == rpc) frame.skipping |= WarpSet::lane(place);
  });
  if (rpc == own) frame.parent = common_frame(group);
  if (frame.parent == CompactionFrame::kNone)
    group.for_each([&](WarpId place) { frame.restore.push_back(parked(place, rpc, rpc <= branch ? turn + 1 : turn)); });
  else
    frames_[frame.parent].running -= group.count() - 1;  // their place is taken by this frame
  vacate(group);
  const Compaction done = list_sides(frame, group, waited);
  if (waited) predictor_->update(branch, done.paid());
  if (waited && oracle_) group.for_each([&](WarpId place) { oracle_->met(decisions_[place], done.paid()); });
  compactions_.push_back(done);
  next_side(id);
}

/// All threads of warps that were at the same branch on the same side have `target` next.
void BlockCompaction::go_on_together(WarpSet group, Pc target, Pc reconvergence) {
  if (target == sides_[places_[group.lowest()].side].rpc)
    return group.for_each([&](WarpId place) { arrive_from(place); });
  group.for_each([&](WarpId place) { follow(place, target, reconvergence); });
  runnable_ |= group;
  changed_ |= group;
}

/// What the group's threads have to run before they meet, in the warps that the compaction unit forms.
Compaction BlockCompaction::list_sides(CompactionFrame& frame, WarpSet group, bool waited) {
  Compaction done{.branch = frame.branch, .waited = waited ? group : WarpSet(), .parted = true};
  for (std::size_t side = targets_.size(); side-- > 0;) {
    const Pc target = targets_[side];
    if (target == frame.rpc) continue;
    take_side(group, target);
    done.before += unit_.before();
    done.after += unit_.after();
    WarpSet places = group - frame.skipping;
    for (const CompactedWarp& warp : unit_.warps()) {
      const unsigned turn = frame.turn + (target <= frame.branch ? 1 : 0);
      frame.sides.push_back(
          {.pc = target, .place = places.lowest(), .turn = turn, .warp = warp, .u_mask = frame.u_mask});
      places -= WarpSet::lane(places.lowest());
    }
  }
  return done;
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

}  // namespace warpfork
