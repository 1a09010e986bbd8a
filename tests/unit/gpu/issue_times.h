// In which cycle which place of a core issued what: for tests of order and waiting.
#pragma once

#include <vector>

#include "gpu/resident_block.h"
#include "report/launch_listener.h"

namespace warpfork::gpu {

class IssueTimes final : public report::LaunchListener {
 public:
  struct Issue {
    WarpId place;
    Pc pc;
    Cycle cycle;
  };

  void issued(const report::IssueEvent& event) override { steps_.push_back({event.step->warp, event.pc, event.cycle}); }
  bool observes_issues() const override { return true; }

  /// The first cycle in which this place issued the instruction at this pc; kNever if it has not.
  Cycle of(WarpId place, Pc pc) const {
    for (const Issue& issue : steps_)
      if (issue.place == place && issue.pc == pc) return issue.cycle;
    return kNever;
  }
  const std::vector<Issue>& steps() const { return steps_; }

 private:
  std::vector<Issue> steps_;
};

}  // namespace warpfork::gpu
