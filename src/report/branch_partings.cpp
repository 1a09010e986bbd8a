#include "report/branch_partings.h"

namespace warpfork::report {

void BranchPartings::issued(ActiveMask active, ActiveMask live, std::uint64_t times, LaneSlots lost) {
  active_ = active;
  ActiveMask within = active;
  bool over = false;
  for (std::size_t i = partings_.size(); i-- > 0;) {
    const ActiveMask lanes = partings_[i].lanes & live;
    if (active.contains(lanes)) {
      over = true;
    } else if (lanes.contains(within)) {
      lost[partings_[i].branch] += times * (lanes.count() - within.count());
      within = lanes;
    }
  }
  if (over) std::erase_if(partings_, [&](const Parting& parting) { return active.contains(parting.lanes & live); });
}

}  // namespace warpfork::report
