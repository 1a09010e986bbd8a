// The order in which a warp scheduler tries its warps.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "gpu/age_order.h"
#include "gpu/core_spec.h"
#include "gpu/warp_slots.h"

namespace warpfork::gpu {

/// One of a core's schedulers.
class WarpScheduler {
 public:
  virtual ~WarpScheduler() = default;
  /// One of the warps that could issue now (never empty) to issue from.
  virtual unsigned pick(const WarpSlots& ready, const AgeOrder& ages) = 0;
};

struct WarpSchedulerPolicy {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<WarpScheduler> (*make)(const CoreSpec&);
  /// Of a machine description, those that only some policies use: its own.
  std::span<const std::string_view> keys = {};

  bool uses(std::string_view key) const;
};

/// All policies, in the order in which they are listed to the user.
std::span<const WarpSchedulerPolicy> warp_scheduler_policies();
/// Throws Error with the known names if there is none of that name.
const WarpSchedulerPolicy& find_warp_scheduler_policy(std::string_view name);

}  // namespace warpfork::gpu
