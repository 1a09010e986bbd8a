// Counts what a core's warps issue, for those who need not hear of each instruction.
#pragma once

#include <vector>

#include "report/launch_listener.h"

namespace warpfork::gpu {

/// A run for each warp slot: instructions that it issued one after the other for the same lanes.
class IssueTally {
 public:
  /// Of the core with this number and so many warps.
  IssueTally(unsigned core, unsigned warps) : runs_(warps) {
    for (unsigned warp = 0; warp < warps; ++warp) runs_[warp] = {.core = core, .warp = warp};
  }

  void begin_kernel(report::LaunchListener& listener) { listener_ = &listener; }
  /// The run to which an instruction of the warp belongs that it issues now, for these lanes: to be counted there.
  report::IssueRun& run(unsigned warp, ActiveMask active, ActiveMask live) {
    report::IssueRun& run = runs_[warp];
    if (run.active != active || run.live != live) {
      tell(warp);
      run.active = active;
      run.live = live;
    }
    return run;
  }
  /// The warp's run has ended.
  void tell(unsigned warp);
  /// All have.
  void tell_all();

 private:
  std::vector<report::IssueRun> runs_;
  report::LaunchListener* listener_ = nullptr;
};

}  // namespace warpfork::gpu
