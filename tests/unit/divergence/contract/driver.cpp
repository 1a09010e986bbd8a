#include "driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "oracle.h"

namespace warpfork::contract {

using Kind = FlowInstruction::Kind;

Driver::Driver(const FlowProgram& program, DivergenceDomain& domain, std::vector<ActiveMask> lanes, std::uint64_t seed,
               unsigned max_splits)
    : program_(program),
      domain_(domain),
      lanes_(lanes),
      random_(seed),
      max_splits_(max_splits),
      positions_(lanes.size() * kMaxWarpSize),
      live_(lanes),
      before_(lanes.size()) {
  for (unsigned thread = 0; thread < positions_.size(); ++thread) traces_.push_back(walk(program, thread, seed));
}

IssueCounts Driver::run() {
  domain_.launch(0, lanes_);
  for (WarpId warp = 0; warp < lanes_.size(); ++warp) check_runnable(warp);
  while (issue_one()) {
  }
  for (WarpId warp = 0; warp < lanes_.size(); ++warp)
    if (live_[warp].any()) fail(warp, "nothing can issue, but threads are alive");
  return counts_;
}

bool Driver::issue_one() {
  std::vector<SplitId> candidates;
  for (WarpId warp = 0; warp < lanes_.size(); ++warp)
    for (SplitId id : domain_.runnable(warp)) candidates.push_back(id);
  if (candidates.empty()) return false;
  execute(candidates[random_() % candidates.size()]);
  return true;
}

void Driver::execute(SplitId id) {
  const WarpSplit split = domain_.split(id);
  keep_appointments(split);
  ++counts_[{split.warp, split.pc, split.lanes.bits()}];
  split.lanes.for_each([&](unsigned lane) {
    std::size_t& position = positions_[split.warp * kMaxWarpSize + lane];
    const std::vector<Pc>& expected = trace(split.warp, lane);
    if (position >= expected.size() || expected[position] != split.pc)
      fail(split.warp, fmt::format("lane {} executes pc {} where the oracle does not", lane, split.pc));
    ++position;
  });
  if (program_.at(split.pc).kind == Kind::Barrier) {
    waiting_.push_back(id);
    check_unchanged(domain_.wait(id));
    check_runnable(split.warp);
  } else {
    move_on(id);
  }
  open_barrier();
}

void Driver::move_on(SplitId id) {
  const WarpSplit split = domain_.split(id);
  const std::vector<Path> paths = paths_of(split);
  ActiveMask remaining;
  for (const Path& path : paths) remaining |= path.lanes;
  if (!program_.ends_block(split.pc) && split.pc + 1 != split.reconvergence_pc) {
    domain_.step(id);
    return;
  }
  const Pc meeting = program_.reconvergence(split.pc);
  if (paths.size() > 1 && meeting != kNoPc) appointments_.push_back({split.warp, meeting, remaining});
  exited(split.warp, split.lanes - remaining);
  check_unchanged(domain_.advance(id, paths, meeting));
  check_runnable(split.warp);
}

std::vector<Path> Driver::paths_of(const WarpSplit& split) const {
  std::vector<Path> paths;
  for (Pc target : program_.successors(split.pc)) {
    Path path{target, {}};
    split.lanes.for_each([&](unsigned lane) {
      if (next_pc(split.warp, lane) == target) path.lanes |= ActiveMask::lane(lane);
    });
    if (path.lanes.any()) paths.push_back(path);
  }
  return paths;
}

Pc Driver::next_pc(WarpId warp, unsigned lane) const {
  const unsigned thread = warp * kMaxWarpSize + lane;
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
    check_unchanged(domain_.release(id));
    check_runnable(domain_.split(id).warp);
    move_on(id);
  }
}

void Driver::keep_appointments(const WarpSplit& split) {
  std::erase_if(appointments_, [&](const Appointment& appointment) {
    if (appointment.warp != split.warp || appointment.meeting != split.pc) return false;
    if (!appointment.lanes.intersects(split.lanes)) return false;
    const ActiveMask expected = appointment.lanes & live_[split.warp];
    if (!split.lanes.contains(expected))
      fail(split.warp, fmt::format("lost reconvergence at pc {}: lanes {:08x} without all of {:08x}", split.pc,
                                   split.lanes.bits(), expected.bits()));
    return true;
  });
}

void Driver::exited(WarpId warp, ActiveMask lanes) { live_[warp] -= lanes; }

void Driver::check_runnable(WarpId warp) {
  ActiveMask all;
  const auto ids = domain_.runnable(warp);
  for (SplitId id : ids) {
    const WarpSplit& split = domain_.split(id);
    if (split.id != id || split.warp != warp) fail(warp, fmt::format("split {} does not know itself", id));
    if (split.lanes.none() || all.intersects(split.lanes) || !live_[warp].contains(split.lanes))
      fail(warp, "splits are empty, overlap, or hold lanes that have exited");
    if (split.pc == split.reconvergence_pc) fail(warp, "a split at its reconvergence point may issue");
    all |= split.lanes;
  }
  if (max_splits_ != 0 && ids.size() > max_splits_) fail(warp, "more splits than allowed may issue");
  if (domain_.live(warp) != live_[warp]) fail(warp, "live() is wrong");
  before_[warp].clear();
  for (SplitId id : ids) before_[warp].push_back(domain_.split(id));
}

void Driver::check_unchanged(WarpSet changed) {
  for (WarpId warp = 0; warp < lanes_.size(); ++warp) {
    if (changed.contains(warp)) continue;
    const auto ids = domain_.runnable(warp);
    const auto is_same = [&](SplitId id, const WarpSplit& before) {
      return id == before.id && domain_.split(id).lanes == before.lanes &&
             domain_.split(id).reconvergence_pc == before.reconvergence_pc;
    };
    if (!std::equal(ids.begin(), ids.end(), before_[warp].begin(), before_[warp].end(), is_same))
      fail(warp, "runnable() changed without notice");
  }
}

void Driver::fail(WarpId warp, const std::string& what) const {
  throw std::runtime_error(
      fmt::format("warp {}: {}\nprogram:\n{}tables:\n{}", warp, what, program_.to_string(), domain_.describe(warp)));
}

}  // namespace warpfork::contract
