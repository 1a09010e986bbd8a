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

/// In most cycles nothing has changed. A warp that comes to another lane gets new entries.
const LaneCensus::Counted& LaneCensus::counted() {
  const std::uint64_t changes = buffers_.changes();
  const WarpSlots live = blocks_.live();
  if (!counted_ || counted_->changes != changes || counted_->live != live)
    counted_ =
        Counted{changes, live, lanes_.lanes_of(live), lanes_.lanes_of(buffers_.warps_of(buffers_.able_to_go_on()))};
  return *counted_;
}

}  // namespace warpfork::gpu
