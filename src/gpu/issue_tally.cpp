#include "gpu/issue_tally.h"

namespace warpfork::gpu {

void IssueTally::tell(unsigned warp) {
  report::IssueRun& run = runs_[warp];
  if (run.instructions == 0) return;
  listener_->ran(run);
  run = {.core = run.core, .warp = run.warp, .active = run.active, .live = run.live};
}

void IssueTally::tell_all() {
  for (unsigned warp = 0; warp < runs_.size(); ++warp) tell(warp);
}

}  // namespace warpfork::gpu
