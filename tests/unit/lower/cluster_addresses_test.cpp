// What is left of addresses in other blocks' shared memory (PTX ISA, "mapa", "getctarank").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace cluster_addresses_test {

using testing::ElementsAre;

TEST(ClusterAddresses, are_the_blocks_own) {
  EXPECT_THAT(lowered_lines("@%p1 mapa.u64 %rd1, %rd2, 0;\n@!%p1 getctarank.shared::cluster.u32 %r1, %r2;\nret;"),
              ElementsAre("@%p1 mov.u64 %rd1, %rd2;", "@!%p1 mov.u32 %r1, 0;", "ret;"));
}

TEST(ClusterAddresses, in_another_block_are_a_trap_if_it_is_computed) {
  EXPECT_THAT(lowered_lines("@%p1 mapa.shared::cluster.u32 %r1, %r2, %r3;\nret;"),
              ElementsAre("setp.ne.and.u32 %part40, %r3, 0, %p1;", "@%part40 trap;", "@%p1 mov.u32 %r1, %r2;", "ret;"));
}

TEST(ClusterAddresses, in_another_block_stay_for_the_decoder_to_refuse) {
  const std::string line = "mapa.u64 %rd1, %rd2, 1;";
  EXPECT_EQ(lowered_lines(line + "\nret;")[0], line);
}

}  // namespace cluster_addresses_test
}  // namespace warpfork::lower
