#include "divergence/adequacy_monitor.h"

#include <algorithm>

namespace warpfork {

void AdequacyMonitor::comes_again(WarpId place) {
  const ShadowBarrier* const shadow = shadow_of(place);
  if (shadow == nullptr || !shadow->parted.contains(place)) return;
  const SideId side = warps_[place].side;
  judge(side, *shadow);
  if (sides_[side].shadows.empty()) std::erase(sides_with_shadows_, side);
}

void AdequacyMonitor::come(WarpId place) {
  if (ShadowBarrier* const shadow = shadow_of(place)) shadow->came |= WarpSet::single(place);
}

void AdequacyMonitor::come_and_part(WarpId place) {
  if (ShadowBarrier* const shadow = shadow_of(place)) count(*shadow, place);
}

void AdequacyMonitor::bypasses(WarpId place, Pc reconvergence) {
  const Pc branch = warps_.split(place).pc;
  const SideId side = warps_[place].side;
  ShadowBarrier* shadow = shadow_of(place);
  if (shadow == nullptr) {
    ShadowBarriers& shadows = sides_.shadows(side);
    if (shadows.empty()) sides_with_shadows_.push_back(side);
    shadow = &shadows.begin(branch, reconvergence == kNoPc ? sides_[side].rpc : reconvergence);
    if (const CompactionBarrier* const barrier = barriers_.at(side, branch))
      barrier->waiting.for_each([&](WarpId other) { count(*shadow, other); });
  }
  count(*shadow, place);
  ++shadow->bypassed;
}

void AdequacyMonitor::end_complete() {
  std::erase_if(sides_with_shadows_, [&](SideId side) {
    const auto over = [&](const ShadowBarrier& shadow) {
      return barriers_.at(side, shadow.branch) == nullptr &&
             (sides_.awaited(side, shadow.branch, shadow.turn, warps_.runnable()) - shadow.came).none();
    };
    for (bool ended = true; ended;) {
      const auto shadow = std::ranges::find_if(sides_[side].shadows.all(), over);
      ended = shadow != sides_[side].shadows.all().end();
      if (ended) judge(side, *shadow);
    }
    const bool none_left = sides_[side].shadows.empty();
    if (none_left) sides_.reap(side);
    return none_left;
  });
}

/// The shadow barrier at the branch where the warp is, or null.
ShadowBarrier* AdequacyMonitor::shadow_of(WarpId place) {
  return sides_.shadows(warps_[place].side).at(warps_.split(place).pc);
}

void AdequacyMonitor::count(ShadowBarrier& shadow, WarpId place) {
  ShadowBarriers& shadows = sides_.shadows(warps_[place].side);
  shadows.add(shadow, place, warps_[place].paths);
  shadow.turn = std::max(shadow.turn, warps_[place].turn);
  prediction_.note(shadows, shadow, place);
}

/// Whether the advice not to wait was right; what comes of it is the branch's latest outcome.
void AdequacyMonitor::judge(SideId side, const ShadowBarrier& shadow) {
  effects_.changed |= WarpSet::single(shadow.parted.lowest());  // effects are asked for only if something has changed
  ShadowBarriers& shadows = sides_.shadows(side);
  const Compaction judged = shadows.end(shadow.branch);
  prediction_.learn(judged, shadows);
  effects_.compactions.push_back(judged);
}

}  // namespace warpfork
