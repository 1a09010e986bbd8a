// The issue stage of a core: each scheduler chooses a split that can issue.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gpu/block_slots.h"
#include "gpu/lane_array.h"
#include "gpu/split_buffers.h"
#include "gpu/warp_scheduler.h"
#include "report/launch_listener.h"

namespace warpfork::gpu {

/// Warp w belongs to scheduler w mod schedulers. The policy chooses the warp; splits of a warp take turns (MULTIPATH
/// section 5).
class IssueStage {
 public:
  /// Throws Error if there is no such policy.
  IssueStage(const CoreSpec& spec, const BlockSlots& blocks, const SplitBuffers& buffers);

  /// `regroups`: whether threads of one warp may run in another one's place.
  void begin_kernel(bool regroups) { regroups_ = regroups; }

  unsigned schedulers() const { return static_cast<unsigned>(policies_.size()); }
  /// The instruction buffer entry from which the scheduler issues: of a split that is ready and whose lane can take its
  /// instruction. None if there is none.
  std::optional<unsigned> choose(unsigned scheduler, const LaneArray& lanes) {
    const EntrySet ready = issuable(buffers_.of_scheduler(scheduler), lanes);
    if (ready == 0) return std::nullopt;
    return choose_from(scheduler, ready);
  }
  /// Of one that issues nothing: what held back the split nearest to issuing.
  report::StallCause stall_cause(unsigned scheduler) const;

 private:
  EntrySet issuable(EntrySet own, const LaneArray& lanes) const;
  unsigned choose_from(unsigned scheduler, EntrySet ready);
  bool has_threads_elsewhere(unsigned scheduler) const;

  const BlockSlots& blocks_;
  const SplitBuffers& buffers_;
  std::vector<std::unique_ptr<WarpScheduler>> policies_;  // by scheduler
  std::vector<WarpSlots> warps_;                          // by scheduler
  std::vector<unsigned> last_entry_;                      // by warp: that issued
  bool regroups_ = false;
};

}  // namespace warpfork::gpu
