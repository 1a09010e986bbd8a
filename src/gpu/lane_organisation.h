// How a warp instruction occupies the lanes of a core: spatial SIMT and, as further lines of the registry, other ways.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/active_mask.h"

namespace warpfork::gpu {

/// Core cycles a warp instruction spends in its unit.
struct LaneTiming {
  unsigned latency = 1;   // from the unit's entry to the result bus
  unsigned interval = 1;  // for which the unit's entry stays taken
};

class LaneOrganisation {
 public:
  virtual ~LaneOrganisation() = default;
  /// `full` is the timing of a warp with every lane active, as the machine file gives it.
  virtual LaneTiming occupy(LaneTiming full, ActiveMask lanes) const = 0;
};

struct LaneOrganisationEntry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<LaneOrganisation> (*make)();
};

std::span<const LaneOrganisationEntry> lane_organisations();
/// Throws Error with the known names if there is none of that name.
const LaneOrganisationEntry& find_lane_organisation(std::string_view name);

}  // namespace warpfork::gpu
