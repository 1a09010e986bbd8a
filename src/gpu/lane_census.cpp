#include "gpu/lane_census.h"

namespace warpfork::gpu {

void LaneCensus::tell(WarpSlots passed_over, report::Stamp at, Cycle cycles, report::LaunchListener& listener) {
  const Counted& now = counted();
  const WarpSlots in_conflict = passed_over & lanes_.free_for(Port::Sp);
  listener.lanes({.lanes = lanes_.lanes(),
                  .width = lanes_.width(),
                  .holding = now.holding,
                  .available = now.available,
                  .conflicts = in_conflict.none() ? 0 : lanes_.lanes_of(in_conflict),
                  .cycles = cycles,
                  .at = at});
}

/// In most cycles nothing has changed.
const LaneCensus::Counted& LaneCensus::counted() {
  const WarpSlots live = blocks_.live(), able = buffers_.warps_of(buffers_.able_to_go_on());
  if (!counted_ || counted_->live != live || counted_->able != able)
    counted_ = Counted{live, able, lanes_.lanes_of(live), lanes_.lanes_of(able)};
  return *counted_;
}

}  // namespace warpfork::gpu
