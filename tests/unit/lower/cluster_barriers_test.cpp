// What of barriers of a cluster is left (PTX ISA, "barrier.cluster").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace cluster_barriers_test {

using testing::ElementsAre;

TEST(ClusterBarriers, are_where_their_threads_wait) {
  EXPECT_THAT(lowered_lines("barrier.cluster.arrive.release.aligned;\nmov.u32 %r1, 1;\n"
                            "barrier.cluster.wait.acquire.aligned;\nret;"),
              ElementsAre("mov.u32 %r1, 1;", "barrier.cluster.wait.acquire.aligned;", "ret;"));
  EXPECT_THAT(lowered_lines("L: barrier.cluster.arrive.relaxed;\nbra L;"), ElementsAre("bra L; -> 0"));
}

TEST(ClusterBarriers, that_are_none_stay_for_the_decoder_to_refuse) {
  const std::string line = "barrier.cluster.arrive.acquire;";
  EXPECT_EQ(lowered_lines(line + "\nret;")[0], line);
}

}  // namespace cluster_barriers_test
}  // namespace warpfork::lower
