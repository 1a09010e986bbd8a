#include "gpu/lane_organisation.h"

#include <array>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "gpu/spatial_lanes.h"

namespace warpfork::gpu {

namespace {

constexpr std::array kOrganisations = {
    LaneOrganisation{"simt", "lanes side by side; a warp instruction takes the same time whatever its mask",
                     [](const CoreSpec& spec, InFlightPool& pool, WarpEvents& events) -> std::unique_ptr<LaneArray> {
                       return std::make_unique<SpatialLanes>(spec, pool, events);
                     }},
};

}  // namespace

std::span<const LaneOrganisation> lane_organisations() { return kOrganisations; }

const LaneOrganisation& find_lane_organisation(std::string_view name) {
  std::vector<std::string> names;
  for (const LaneOrganisation& organisation : kOrganisations) {
    if (organisation.name == name) return organisation;
    names.emplace_back(organisation.name);
  }
  throw Error("there is no lane organisation '{}'; known: {}", name, fmt::join(nearest_names(name, names), ", "));
}

}  // namespace warpfork::gpu
