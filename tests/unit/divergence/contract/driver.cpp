#include "driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "analysis/frontier_order.h"
#include "oracle.h"

namespace warpfork::contract {

using Kind = FlowInstruction::Kind;

namespace {

/// Calls visit(home warp, lane) for each thread.
template <typename Visit>
void for_each_thread(const Threads& threads, Visit&& visit) {
  for (const HomeLanes& home : threads) home.lanes.for_each([&](unsigned lane) { visit(home.warp, lane); });
}

ActiveMask lanes_in(const Threads& threads, WarpId warp) {
  for (const HomeLanes& home : threads)
    if (home.warp == warp) return home.lanes;
  return {};
}

/// With every instruction as a block.
std::vector<FrontierPlace> order_of(const FlowProgram& program) {
  std::vector<analysis::Block> blocks(program.size());
  std::vector<analysis::BlockId> meet;
  for (Pc pc = 0; pc < program.size(); ++pc) {
    meet.push_back(program.reconvergence(pc) == kNoPc ? analysis::kNoBlock : program.reconvergence(pc));
    blocks[pc].successors = program.successors(pc);
    for (const Pc successor : blocks[pc].successors) blocks[successor].predecessors.push_back(pc);
  }
  return analysis::frontier_order(blocks, meet);
}

bool intersect(const Threads& some, const Threads& others) {
  for (const HomeLanes& home : some)
    if (lanes_in(others, home.warp).intersects(home.lanes)) return true;
  return false;
}

bool same(const Threads& some, const Threads& others) {
  const auto equal = [](const HomeLanes& a, const HomeLanes& b) { return a.warp == b.warp && a.lanes == b.lanes; };
  return std::equal(some.begin(), some.end(), others.begin(), others.end(), equal);
}

}  // namespace

Driver::Driver(const FlowProgram& program, DivergenceDomain& domain, std::vector<ActiveMask> lanes, std::uint64_t seed,
               unsigned max_splits, const DivergenceMechanism& mechanism)
    : program_(program),
      domain_(domain),
      order_(order_of(program)),
      lanes_(lanes),
      random_(seed),
      max_splits_(max_splits),
      mechanism_(mechanism),
      positions_(lanes.size() * kMaxWarpSize),
      live_(lanes),
      awaiting_(lanes.size()),
      have_met_(lanes.size()),
      seen_(lanes.size()) {
  for (unsigned thread = 0; thread < positions_.size(); ++thread) traces_.push_back(walk(program, thread, seed));
}

IssueCounts Driver::run() {
  domain_.begin_kernel(order_);
  domain_.launch(0, lanes_);
  accept({.changed = WarpSet::first(static_cast<unsigned>(lanes_.size())),
          .formed = {},
          .compactions = {},
          .table_moves = {}});
  while (issue_one()) {
  }
  if (not_judged_ > 0) fail(0, "warps that have gone on without waiting are never judged");
  for (WarpId warp = 0; warp < lanes_.size(); ++warp) {
    if (live_[warp].any()) fail(warp, "nothing can issue, but threads are alive");
    if (!domain_.finished(warp)) fail(warp, "all threads have exited, but the warp is not finished");
  }
  return counts_;
}

bool Driver::issue_one() {
  gather();
  std::vector<SplitId> candidates;
  for (WarpId warp = 0; warp < lanes_.size(); ++warp)
    for (SplitId id : domain_.runnable(warp)) candidates.push_back(id);
  if (candidates.empty()) return false;
  execute(candidates[random_() % candidates.size()]);
  return true;
}

void Driver::execute(SplitId id) {
  const WarpSplit split = domain_.split(id);
  if (names_others_ && comes_to_others(split)) return;
  check_reconvergences(split);
  ++counts_[{split.warp, split.pc, split.lanes.bits()}];
  for_each_thread(threads_of(split), [&](WarpId home, unsigned lane) {
    if (next_pc(home, lane) != split.pc)
      fail(split.warp, fmt::format("warp {} lane {} executes pc {} where the oracle does not", home, lane, split.pc));
    ++positions_[home * kMaxWarpSize + lane];
  });
  if (program_.at(split.pc).kind == Kind::Barrier) {
    waiting_.push_back(id);
    accept(domain_.wait(id));
  } else {
    move_on(id);
  }
  open_barrier();
}

void Driver::move_on(SplitId id) {
  const WarpSplit split = domain_.split(id);
  if (!program_.ends_block(split.pc) && split.pc + 1 != split.reconvergence_pc) {
    domain_.step(id);
    return;
  }
  const std::vector<Path> paths = paths_of(split);
  expect_reconvergence(split, paths);
  for_each_thread(threads_of(split), [&](WarpId home, unsigned lane) {
    if (next_pc(home, lane) == kNoPc) live_[home] -= ActiveMask::single(lane);
  });
  const bool goes_as_one = paths.size() == 1 && paths[0].lanes == split.lanes;
  if (split.pc % 2 == 0 && goes_as_one && domain_.pass(id, paths[0].pc)) return;
  accept(program_.may_part(split.pc) ? domain_.advance(id, paths, program_.reconvergence(split.pc))
                                     : domain_.jump(id, paths[0].pc));
}

Threads Driver::threads_of(const WarpSplit& split) const {
  if (!split.compacted()) return {{split.warp, split.lanes}};
  return {split.homes.begin(), split.homes.end()};
}

std::vector<Path> Driver::paths_of(const WarpSplit& split) const {
  std::vector<Path> paths;
  for (Pc target : program_.successors(split.pc)) {
    Path path{target, {}};
    for_each_thread(threads_of(split), [&](WarpId home, unsigned lane) {
      if (next_pc(home, lane) == target) path.lanes |= ActiveMask::single(lane);
    });
    if (path.lanes.any()) paths.push_back(path);
  }
  return paths;
}

/// kNoPc if the thread has exited.
Pc Driver::next_pc(WarpId home, unsigned lane) const {
  const unsigned thread = home * kMaxWarpSize + lane;
  return positions_[thread] < traces_[thread].size() ? traces_[thread][positions_[thread]] : kNoPc;
}

void Driver::open_barrier() {
  unsigned arrived = 0, alive = 0;
  for (SplitId id : waiting_) arrived += domain_.split(id).lanes.count();
  for (ActiveMask live : live_) alive += live.count();
  if (waiting_.empty() || arrived != alive) return;
  const std::vector<SplitId> released = std::move(waiting_);
  waiting_.clear();
  for (SplitId id : released) {
    accept(domain_.release(id));
    move_on(id);
  }
}

/// Every third instruction names threads, of which all are there, or are missing, as chance will have it.
bool Driver::comes_to_others(const WarpSplit& split) {
  SlotSet& have_met = have_met_[split.warp];
  const unsigned slot = split.id % kSplitsPerWarp;
  if (have_met.contains(slot)) {
    have_met.erase(slot);
    return false;
  }
  if (split.pc % 3 != 0 || program_.at(split.pc).kind != Kind::Step || random_() % 4 == 0) return false;
  SlotSet there;
  awaiting_[split.warp].for_each([&](unsigned other) {
    if (domain_.split(split.warp * kSplitsPerWarp + other).pc == split.pc) there.insert(other);
  });
  if (there.any() && random_() % 2 == 0) {
    meet(split.warp, there | SlotSet::single(slot));
  } else {
    awaiting_[split.warp].insert(slot);
    accept(domain_.wait_for_others(split.id));
  }
  return true;
}

void Driver::meet(WarpId warp, SlotSet slots) {
  awaiting_[warp] -= slots;
  have_met_[warp].insert(slots.lowest());
  accept(domain_.meet(warp, slots));
}

/// In a warp in which nobody may issue threads that wait have named only those that are there, when nobody else can
/// come.
void Driver::gather() {
  for (WarpId warp = 0; warp < lanes_.size(); ++warp)
    while (awaiting_[warp].any() && domain_.runnable(warp).empty()) {
      const DomainEffects unblocked = domain_.unblock(warp);
      accept(unblocked);
      if (unblocked.changed.any()) continue;
      const Pc place = domain_.split(warp * kSplitsPerWarp + awaiting_[warp].lowest()).pc;
      SlotSet there;
      awaiting_[warp].for_each([&](unsigned slot) {
        if (domain_.split(warp * kSplitsPerWarp + slot).pc == place) there.insert(slot);
      });
      meet(warp, there);
    }
}

/// Also where the split goes one way as a whole: in other warps' company its threads may still part.
void Driver::expect_reconvergence(const WarpSplit& split, std::span<const Path> paths) {
  if (!mechanism_.meets_by_postdominators || names_others_) return;
  const Pc reconvergence = program_.reconvergence(split.pc);
  if (reconvergence == kNoPc || paths.empty() || (paths.size() == 1 && paths[0].pc == reconvergence)) return;
  // Threads of several warps that part once more before a reconvergence point get there with those with whom they came.
  if (mechanism_.regroups && meet_already(threads_of(split), reconvergence)) return;
  expected_.push_back({reconvergence, threads_of(split)});
}

/// Whether the latest reconvergence of any of the threads is there.
bool Driver::meet_already(const Threads& threads, Pc reconvergence) const {
  const auto latest = std::find_if(expected_.rbegin(), expected_.rend(),
                                   [&](const Reconvergence& expected) { return intersect(expected.threads, threads); });
  return latest != expected_.rend() && latest->pc == reconvergence;
}

void Driver::check_reconvergences(const WarpSplit& split) {
  const Threads here = threads_of(split);
  std::erase_if(expected_, [&](const Reconvergence& point) {
    if (point.pc != split.pc || !intersect(point.threads, here)) return false;
    for (const HomeLanes& home : point.threads) {
      const ActiveMask expected = home.lanes & live_[home.warp], come = lanes_in(here, home.warp);
      if (!come.contains(expected))
        fail(split.warp, fmt::format("lost reconvergence at pc {}: warp {} lanes {:08x} without all of {:08x}",
                                     split.pc, home.warp, come.bits(), expected.bits()));
    }
    return true;
  });
}

/// What the domain says to have changed must be right, what it does not name unchanged.
void Driver::accept(const DomainEffects& effects) {
  if (effects.changed.none() && !effects.compactions.empty()) fail(0, "compactions without notice");
  if (effects.changed.none() && !effects.table_moves.empty()) fail(0, "moves of table entries without notice");
  for (WarpId warp = 0; warp < lanes_.size(); ++warp) {
    const Seen now = look(warp);
    if (!effects.changed.contains(warp)) {
      const Seen& before = seen_[warp];
      const auto is_same = [](const WarpSplit& a, const WarpSplit& b) {
        return a.id == b.id && a.lanes == b.lanes && a.reconvergence_pc == b.reconvergence_pc;
      };
      if (!std::equal(now.splits.begin(), now.splits.end(), before.splits.begin(), before.splits.end(), is_same) ||
          !std::equal(now.threads.begin(), now.threads.end(), before.threads.begin(), before.threads.end(), same))
        fail(warp, "runnable() changed without notice");
      if (now.finished != before.finished) fail(warp, "finished() changed without notice");
    }
    check_runnable(warp);
    seen_[warp] = now;
  }
  count_compactions(effects);
}

/// Every warp that did not wait at a branch is judged later, once.
void Driver::count_compactions(const DomainEffects& effects) {
  for (const Compaction& done : effects.compactions) {
    if (done.waited.none() && done.bypassed == 0) ++not_judged_;
    if (done.bypassed > not_judged_) fail(0, "more warps are judged than have gone on without waiting");
    not_judged_ -= done.bypassed;
  }
}

Driver::Seen Driver::look(WarpId warp) const {
  Seen seen;
  for (SplitId id : domain_.runnable(warp)) {
    seen.splits.push_back(domain_.split(id));
    seen.threads.push_back(threads_of(domain_.split(id)));
  }
  seen.finished = domain_.finished(warp);
  return seen;
}

void Driver::check_runnable(WarpId warp) {
  const auto ids = domain_.runnable(warp);
  for (SplitId id : ids) {
    const WarpSplit& split = domain_.split(id);
    if (split.id != id || split.warp != warp) fail(warp, fmt::format("split {} does not know itself", id));
    if (split.pc == split.reconvergence_pc) fail(warp, "a split at its reconvergence point may issue");
    check_homes(split);
    for (WarpId other = 0; other < lanes_.size(); ++other)
      for (SplitId another : domain_.runnable(other))
        if (another != id && intersect(threads_of(split), threads_of(domain_.split(another))))
          fail(warp, "a thread is in two splits");
  }
  if (max_splits_ != 0 && ids.size() > max_splits_) fail(warp, "more splits than allowed may issue");
  if (domain_.live(warp) != live_[warp]) fail(warp, "live() is wrong");
}

void Driver::check_homes(const WarpSplit& split) const {
  const Threads threads = threads_of(split);
  ActiveMask all;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (i > 0 && threads[i].warp <= threads[i - 1].warp) fail(split.warp, "homes are not in ascending order");
    if (threads[i].lanes.none() || all.intersects(threads[i].lanes)) fail(split.warp, "homes are empty or overlap");
    if (!live_[threads[i].warp].contains(threads[i].lanes)) fail(split.warp, "a split holds lanes that have exited");
    all |= threads[i].lanes;
  }
  if (all != split.lanes) fail(split.warp, "lanes are not those of the homes");
  const bool is_at_home = threads.size() == 1 && threads[0].warp == split.warp;
  if (split.compacted() && !mechanism_.regroups)
    fail(split.warp, "a mechanism that does not regroup threads has compacted some");
  if (split.compacted() == is_at_home) fail(split.warp, "a split is called compacted, but is not, or the reverse");
}

void Driver::fail(WarpId warp, const std::string& what) const {
  throw std::runtime_error(
      fmt::format("warp {}: {}\nprogram:\n{}tables:\n{}", warp, what, program_.to_string(), domain_.describe(warp)));
}

}  // namespace warpfork::contract
