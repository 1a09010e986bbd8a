// What mbarrier instructions become (PTX ISA, "mbarrier"). That it is right, the differential tests of simt say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace mbarriers_test {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Mbarriers, begin_with_all_arrivals_missing) {
  EXPECT_THAT(lowered_lines("@%p1 mbarrier.init.shared.b64 [%r1], 3;\nret;"),
              ElementsAre("mul.lo.u64 %part40, 3, 1048577;", "@%p1 st.shared.u64 [%r1], %part40;", "ret;"));
}

TEST(Mbarriers, who_arrives_last_begins_the_next_phase) {
  EXPECT_THAT(lowered_lines("mbarrier.arrive.release.cta.shared::cta.b64 %rd1, [%r1];\nret;"),
              ElementsAre("mul.lo.u64 %part40, 1, -1;", "atom.shared.add.u64 %part41, [%r1], %part40;",
                          "and.b64 %part42, %part41, 1048575;", "setp.eq.u64 %part43, %part42, 1;",
                          "shr.u64 %part44, %part41, 20;", "and.b64 %part45, %part44, 1048575;",
                          "add.u64 %part46, %part45, 1099511627776;", "@%part43 red.shared.add.u64 [%r1], %part46;",
                          "mov.b64 %rd1, %part41;", "ret;"));
}

TEST(Mbarriers, are_asked_by_phase_or_parity) {
  EXPECT_THAT(lowered_lines("mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;\nret;"),
              ElementsAre("ld.shared.u64 %part40, [%r1];", "shr.u64 %part41, %part40, 40;",
                          "shr.u64 %part42, %rd1, 40;", "setp.ne.u64 %p1, %part41, %part42;", "ret;"));
  EXPECT_EQ(lowered_lines("mbarrier.try_wait.parity.b64 %p1, [%rd1], 1, 20;\nret;")[3], "setp.ne.u64 %p1, %part42, 1;");
}

TEST(Mbarriers, that_count_transactions_are_left) {
  for (const std::string line :
       {"mbarrier.expect_tx.relaxed.cta.shared.b64 [%r1], 4;", "mbarrier.arrive.shared::cluster.b64 _, [%r1];"})
    EXPECT_THAT(lowered_lines(line + "\nret;")[0], AllOf(HasSubstr("mbarrier."), HasSubstr("[%r1]")));
}

TEST(Mbarriers, without_their_operands_are_left) {
  for (const std::string line : {"mbarrier.init.shared.b64 [%r1];", "mbarrier.arrive.shared.b64 %rd1;",
                                 "mbarrier.test_wait.shared.b64 %p1, [%r1];"})
    EXPECT_EQ(lowered(line + "\nret;").body.size(), 2u) << line;
}

}  // namespace mbarriers_test
}  // namespace warpfork::lower
