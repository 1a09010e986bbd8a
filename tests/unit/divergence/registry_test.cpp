#include "divergence/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(DivergenceRegistry, every_mechanism_is_found_by_its_name) {
  for (const DivergenceMechanism& mechanism : divergence_mechanisms())
    EXPECT_EQ(&find_divergence_mechanism(mechanism.name), &mechanism);
}

TEST(DivergenceRegistry, unknown_name_is_an_error_with_the_nearest_one) {
  EXPECT_THAT([] { find_divergence_mechanism("multipath"); },
              ThrowsMessage<Error>(HasSubstr("did you mean multi-path?")));
}

TEST(DivergenceRegistry, warps_of_a_block_are_independent_and_their_splits_distinct) {
  for (const DivergenceMechanism& mechanism : divergence_mechanisms()) {
    const auto domain = mechanism.make({});
    const ActiveMask lanes[] = {ActiveMask(0b1111), ActiveMask(0b0011)};
    domain->launch(7, lanes);
    const SplitId first = domain->runnable(0).front(), second = domain->runnable(1).front();
    EXPECT_NE(first, second) << mechanism.name;
    EXPECT_EQ(domain->split(second).warp, 1u) << mechanism.name;
    EXPECT_EQ(domain->advance(second, {}, kNoPc), WarpSet::lane(1)) << mechanism.name;
    EXPECT_EQ(domain->split(first).pc, 7u) << mechanism.name;
  }
}

}  // namespace
}  // namespace warpfork
