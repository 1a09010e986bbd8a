#include "gpu/compaction_timing.h"

namespace warpfork::gpu {

void CompactionTiming::take(unsigned first_warp, std::span<const Compaction> done, WarpSet formed, Cycle now) {
  for (const Compaction& one : done) {
    Cycle waited = 0;  // who waited at a branch has issued nothing since
    one.waited.for_each([&](unsigned place) { waited += now - warps_[first_warp + place].last_issue; });
    listener_->compacted({one.branch,
                          one.waited.count(),
                          one.parted,
                          one.before,
                          one.after,
                          waited,
                          one.bypassed,
                          {now, core_, first_warp}});
  }
  if (cycles_ == 0) return;
  formed.for_each([&](unsigned place) {
    free_ = std::max(free_, now) + cycles_;
    warps_[first_warp + place].formed = free_ + 1;
    forming_.insert(first_warp + place);
  });
}

WarpSlots CompactionTiming::take_formed(Cycle now) {
  WarpSlots formed;
  forming_.for_each([&](unsigned warp) {
    if (warps_[warp].formed <= now) formed.insert(warp);
  });
  forming_ -= formed;
  return formed;
}

}  // namespace warpfork::gpu
