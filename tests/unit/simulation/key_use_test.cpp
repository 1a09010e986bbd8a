#include "simulation/key_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::simulation {
namespace key_use_test {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const KeyUsers kStack{"pdom", "simt", "gto", "latest", true};
const KeyUsers kBlocks{"capri", "simt", "gto", "latest", true};
const KeyUsers kBound{"capri", "simt", "two-level", "never", true};

TEST(KeyUse, of_one_machine_of_several_is_enough) {
  EXPECT_NO_THROW(require_key_use("core.two_level_active=2", {kStack, kBound}));
  EXPECT_NO_THROW(require_key_use("divergence.predictor_entries=2", {kStack, kBlocks}));
}

TEST(KeyUse, of_its_parts_by_different_machines_is_none) {
  EXPECT_THAT(
      [] {
        require_key_use("divergence.predictor_entries=2", {kStack, kBound});
      },
      ThrowsMessage<Error>("--set divergence.predictor_entries=2: never does not use "
                           "divergence.predictor_entries\n  used by latest"));
}

TEST(KeyUse, of_the_shift_is_that_of_a_table_with_some_entries) {
  KeyUsers without = kBlocks;
  without.predictor_has_table = false;
  EXPECT_NO_THROW(require_key_use("divergence.predictor_index_shift=2", {without, kBlocks}));
  EXPECT_THAT([&] { require_key_use("divergence.predictor_index_shift=2", {without}); },
              ThrowsMessage<Error>(HasSubstr("divergence.predictor_entries=0, does not use")));
}

TEST(KeyUse, of_a_policy_that_there_is_none_of_is_an_error) {
  EXPECT_THAT(
      [] {
        require_key_use("core.two_level_active=2", {{"pdom", "simt", "gtx", "latest"}});
      },
      ThrowsMessage<Error>(HasSubstr("there is no warp scheduler 'gtx'")));
}

}  // namespace key_use_test
}  // namespace warpfork::simulation
