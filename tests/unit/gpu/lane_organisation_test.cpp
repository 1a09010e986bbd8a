#include "gpu/lane_organisation.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "gpu/device.h"
#include "gtx480_spec.h"

namespace warpfork::gpu {
namespace lane_organisation_test {

TEST(LaneOrganisations, an_unknown_name_is_an_error) { EXPECT_THROW(find_lane_organisation("scalar"), Error); }

TEST(LaneOrganisations, that_are_temporal_refuse_mechanisms_that_regroup_threads) {
  for (const LaneOrganisation& lanes : lane_organisations())
    for (const DivergenceMechanism& mechanism : divergence_mechanisms()) {
      MachineSpec spec = one_core(std::string(mechanism.name));
      spec.core.lanes.organisation = lanes.name;
      if (lanes.temporal && mechanism.regroups)
        EXPECT_THROW(Device{spec}, Error) << lanes.name << mechanism.name;
      else
        EXPECT_NO_THROW(Device{spec}) << lanes.name << mechanism.name;
    }
}

}  // namespace lane_organisation_test
}  // namespace warpfork::gpu
