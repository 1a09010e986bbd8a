#include "divergence/shadow_barriers.h"

#include <algorithm>

namespace warpfork {

ShadowBarrier* ShadowBarriers::at(Pc branch) {
  const auto found = std::ranges::find(barriers_, branch, &ShadowBarrier::branch);
  return found == barriers_.end() ? nullptr : &*found;
}

ShadowBarrier& ShadowBarriers::begin(Pc branch, Pc arrived) {
  barriers_.emplace_back();
  barriers_.back().branch = branch;
  barriers_.back().arrived = arrived;
  return barriers_.back();
}

void ShadowBarriers::add(ShadowBarrier& barrier, WarpId place, std::span<const Path> paths) {
  barrier.parted |= WarpSet::single(place);
  barrier.came |= WarpSet::single(place);
  for (const Path& path : paths) {
    if (path.pc == barrier.arrived) continue;
    Side& to = side(barrier.branch, path.pc);
    ++to.warps;
    path.lanes.for_each([&](unsigned lane) { to.most = std::max<unsigned>(to.most, ++to.threads[lane]); });
  }
}

Compaction ShadowBarriers::end(Pc branch) {
  Compaction judged;
  judged.branch = branch;
  judged.parted = true;
  judged.bypassed = at(branch)->bypassed;
  for (const Side& side : sides_) {
    if (side.branch != branch) continue;
    judged.before += side.warps;
    judged.after += side.most;
  }
  std::erase_if(sides_, [&](const Side& side) { return side.branch == branch; });
  std::erase_if(barriers_, [&](const ShadowBarrier& barrier) { return barrier.branch == branch; });
  return judged;
}

void ShadowBarriers::judge(Pc branch, bool paid, CompactionOracle& oracle) {
  for (const Noted& noted : decisions_)
    if (noted.branch == branch) oracle.might_have_met(noted.decision, paid);
  std::erase_if(decisions_, [&](const Noted& noted) { return noted.branch == branch; });
}

ShadowBarriers::Side& ShadowBarriers::side(Pc branch, Pc target) {
  for (Side& side : sides_)
    if (side.branch == branch && side.target == target) return side;
  sides_.push_back({.branch = branch, .target = target});
  return sides_.back();
}

}  // namespace warpfork
