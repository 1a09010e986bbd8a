#include "divergence/block_compaction.h"

#include <algorithm>
#include <optional>

#include "divergence/block_stack_table.h"
#include "divergence/distinct_paths.h"

namespace warpfork {

void BlockCompaction::launch(Pc entry, std::span<const ActiveMask> lanes, std::uint64_t block) {
  if (warps_.size() != lanes.size()) {
    warps_.resize(lanes.size());
    make_splits(lanes.size());
  }
  sides_.launch();
  live_.launch(lanes);
  prediction_.launch(block, lanes.size());
  stack_.launch(entry, lanes);
}

const DomainEffects& BlockCompaction::advance(SplitId id, std::span<const Path> given, Pc reconvergence) {
  effects_.clear();
  const WarpSplit& split = splits_[id];
  if (prediction_.has_oracle()) [[unlikely]]
    tell_oracle(split);
  if (goes_on_alone(split, given)) {
    pass(split.warp);
    stack_.follow(split.warp, given[0].pc, reconvergence);
    return effects_;
  }
  const DistinctPaths paths(given, split);
  if (paths.lanes() != split.lanes) exit(split.warp, paths.lanes());
  if (paths.lanes().any()) branch(split.warp, paths, reconvergence);
  settle();
  if (live_.none()) effects_.changed = WarpSet::first(static_cast<unsigned>(warps_.size()));
  return effects_;
}

const DomainEffects& BlockCompaction::jump(SplitId id, Pc target) {
  effects_.clear();
  const WarpId place = splits_[id].warp;
  if (target == splits_[id].reconvergence_pc)
    stack_.arrive_from(place);
  else
    stack_.follow(place, target, target);
  settle();
  return effects_;
}

const DomainEffects& BlockCompaction::wait(SplitId id) {
  effects_.clear();
  warps_.stop(splits_[id].warp);
  settle();
  return effects_;
}

const DomainEffects& BlockCompaction::release(SplitId id) {
  effects_.clear();
  warps_.go_on(WarpSet::single(splits_[id].warp));
  return effects_;
}

/// All threads go the same way, and the warp neither arrives nor waits, nor does another warp wait.
bool BlockCompaction::goes_on_alone(const WarpSplit& split, std::span<const Path> paths) const {
  if (paths.size() != 1 || paths[0].lanes != split.lanes || paths[0].pc == split.reconvergence_pc) return false;
  if (!barriers_.empty() || !monitor_.idle()) return false;
  if (who_waits_ == BranchWait::DivergingWarps) return true;
  const DynamicWarp& warp = warps_[split.warp];
  const WarpSet awaited = sides_.awaited(warp.side, split.pc, warp.turn, warps_.runnable());
  return (awaited - WarpSet::single(split.warp)).none();  // nobody could come
}

void BlockCompaction::branch(WarpId place, const DistinctPaths& paths, Pc reconvergence) {
  const Pc first = paths.paths()[0].pc;
  const bool diverges = paths.diverge();
  if (who_waits_ == BranchWait::EveryWarp || diverges)
    warps_[place].paths.assign(paths.paths().begin(), paths.paths().end());
  if (who_waits_ == BranchWait::EveryWarp) return wait_at_branch(place, reconvergence);
  if (diverges) {
    monitor_.comes_again(place);
    if (should_wait(place)) return wait_at_branch(place, reconvergence);
    pass(place);
    monitor_.bypasses(place, reconvergence);
    part(WarpSet::single(place), reconvergence, false);
  } else if (first == warps_.split(place).reconvergence_pc) {
    stack_.arrive_from(place);
  } else {
    pass(place);
    stack_.follow(place, first, reconvergence);
  }
}

bool BlockCompaction::should_wait(WarpId place) {
  HomeLanes alone;
  return prediction_.advises_to_wait(place, warps_.split(place).pc, warps_.threads_in(place, alone));
}

/// Apart, so that advance() is as short without an oracle as it was.
[[gnu::noinline]] void BlockCompaction::tell_oracle(const WarpSplit& split) {
  HomeLanes alone;
  prediction_.execute(split.pc, warps_.threads_in(split.warp, alone));
}

void BlockCompaction::exit(WarpId place, ActiveMask remaining) {
  const CompactedWarp& threads = warps_[place].threads;
  live_.exit(threads, threads.lanes - remaining);
  if (remaining.none()) return stack_.arrive_from(place);
  warps_.keep(place, remaining);
}

/// The warp does not wait at its branch. Who waits there does not wait for it either, whatever its turn.
void BlockCompaction::pass(WarpId place) {
  const Pc branch = warps_.split(place).pc;
  const DynamicWarp& warp = warps_[place];
  unsigned turn = warp.turn;
  monitor_.passes(place);
  if (const CompactionBarrier* const barrier = barriers_.at(warp.side, branch)) turn = std::max(turn, barrier->turn);
  sides_.visit(warp.side, branch, turn, place);
}

/// The warp, whose paths are known, waits for the others.
void BlockCompaction::wait_at_branch(WarpId place, Pc reconvergence) {
  warps_.stop(place);
  monitor_.waits(place);
  const DynamicWarp& warp = warps_[place];
  barriers_.wait(warp.side, warps_.split(place).pc, reconvergence, place, warp.turn);
}

/// After a warp has stopped or gone on: whom nobody waits for any more.
void BlockCompaction::settle() {
  do {
    if (!monitor_.idle()) monitor_.end_complete();
  } while ((!barriers_.empty() && open_a_barrier()) || resume_skipping());
}

bool BlockCompaction::open_a_barrier() {
  const std::optional<CompactionBarrier> opened = barriers_.open(warps_.runnable());
  if (opened) part(opened->waiting, opened->reconvergence, true);
  return opened.has_value();
}

/// The threads of warps that are at the same branch on the same side go where their paths say.
void BlockCompaction::part(WarpSet group, Pc reconvergence, bool waited) {
  Compaction done = stack_.part(group, reconvergence, waited);
  if (waited) done.waited = group;
  if (waited && done.parted) prediction_.learn(done);
  effects_.compactions.push_back(done);
}

std::vector<StateTable> BlockCompaction::tables(WarpId place) const {
  return {BlockStackTable(stack_, warps_, sides_, barriers_, live_).of(place)};
}

}  // namespace warpfork
