#include "divergence/warp_formation.h"

#include <algorithm>

namespace warpfork {

std::span<const Pc> WarpFormation::list_targets(WarpSet group, Pc branch) {
  targets_.clear();
  group.for_each([&](WarpId place) {
    const std::vector<Path>& paths = warps_[place].paths;
    auto next = targets_.end();  // of what comes later for this warp
    for (auto path = paths.rbegin(); path != paths.rend(); ++path) {
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
  return targets_;
}

Compaction WarpFormation::form_sides(CompactionFrame& frame, WarpSet group) {
  Compaction done{.branch = frame.branch, .waited = {}, .parted = true};
  for (std::size_t side = targets_.size(); side-- > 0;) {
    const Pc target = targets_[side];
    if (target == frame.rpc) continue;
    take_side(group, target);
    done.before += unit_.before();
    done.after += unit_.after();
    const unsigned turn = frame.turn + (target <= frame.branch ? 1 : 0);
    WarpSet places = group - frame.skipping;
    for (const CompactedWarp& warp : unit_.warps()) {
      frame.sides.push_back(
          {.pc = target, .place = places.lowest(), .turn = turn, .warp = warp, .u_mask = frame.u_mask});
      places -= WarpSet::single(places.lowest());
    }
  }
  return done;
}

void WarpFormation::take_side(WarpSet group, Pc target) {
  unit_.clear();
  group.for_each([&](WarpId place) {
    for (const Path& path : warps_[place].paths)
      if (path.pc == target) unit_.take(warps_[place].threads, path.lanes);
  });
}

}  // namespace warpfork
