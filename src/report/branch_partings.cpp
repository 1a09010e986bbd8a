#include "report/branch_partings.h"

namespace warpfork::report {

void BranchPartings::change(ActiveMask active, ActiveMask live, LaneSlots lost) {
  settle(lost);
  active_ = active;
  live_ = live;
  if (active == live) partings_.clear();
}

void BranchPartings::part(Pc branch, LaneSlots lost) {
  settle(lost);
  partings_.push_back({branch, active_});
}

void BranchPartings::settle(LaneSlots lost) {
  if (issues_ == 0) return;
  ActiveMask within = active_;
  bool over = false;
  for (std::size_t i = partings_.size(); i-- > 0;) {
    const ActiveMask lanes = partings_[i].lanes & live_;
    if (active_.contains(lanes)) {
      over = true;
    } else if (lanes.contains(within)) {
      lost[partings_[i].branch] += issues_ * (lanes.count() - within.count());
      within = lanes;
    }
  }
  if (over) std::erase_if(partings_, [&](const Parting& parting) { return active_.contains(parting.lanes & live_); });
  issues_ = 0;
}

void BranchPartings::restart(LaneSlots lost) {
  settle(lost);
  *this = {};
}

}  // namespace warpfork::report
