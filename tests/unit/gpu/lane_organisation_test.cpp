#include "gpu/lane_organisation.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::gpu {
namespace {

TEST(LaneOrganisations, an_unknown_name_is_an_error) { EXPECT_THROW(find_lane_organisation("scalar"), Error); }

}  // namespace
}  // namespace warpfork::gpu
