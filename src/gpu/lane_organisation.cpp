#include "gpu/lane_organisation.h"

#include <array>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/text.h"

namespace warpfork::gpu {

namespace {

/// Lanes side by side: a warp instruction takes the same time whatever its mask.
class SpatialLanes final : public LaneOrganisation {
 public:
  LaneTiming occupy(LaneTiming full, ActiveMask) const override { return full; }
};

constexpr std::array kOrganisations = {
    LaneOrganisationEntry{"simt", "lanes side by side; a warp instruction takes the same time whatever its mask",
                          []() -> std::unique_ptr<LaneOrganisation> { return std::make_unique<SpatialLanes>(); }},
};

}  // namespace

std::span<const LaneOrganisationEntry> lane_organisations() { return kOrganisations; }

const LaneOrganisationEntry& find_lane_organisation(std::string_view name) {
  std::vector<std::string> names;
  for (const LaneOrganisationEntry& entry : kOrganisations) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  throw Error("there is no lane organisation '{}'; known: {}", name, fmt::join(nearest_names(name, names), ", "));
}

}  // namespace warpfork::gpu
