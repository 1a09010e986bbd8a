// What mbarrier instructions become (PTX ISA, "mbarrier"). That it is right, the differential tests of simt say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace mbarriers_test {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Mbarriers, begin_with_all_arrivals_missing_and_no_bytes) {
  EXPECT_THAT(lowered_lines("@%p1 mbarrier.init.shared.b64 [%r1], 3;\nret;"),
              ElementsAre("mul.lo.u64 %part40, 3, 1048577;", "add.u64 %part41, %part40, 1152921504606846976;",  // 2^60
                          "@%p1 st.shared.u64 [%r1], %part41;", "ret;"));
}

// 2^61 − 2^40 + 2^20 − 1 are the fields of bytes and of arrivals, 2^60 is a field of no bytes, 2^61 a phase.
TEST(Mbarriers, who_arrives_last_begins_the_next_phase) {
  EXPECT_THAT(lowered_lines("mbarrier.arrive.release.cta.shared::cta.b64 %rd1, [%r1];\nret;"),
              ElementsAre("mul.lo.u64 %part40, 1, -1;", "atom.shared.add.u64 %part41, [%r1], %part40;",
                          "add.u64 %part42, %part41, %part40;", "and.b64 %part43, %part42, 2305841909703114751;",
                          "setp.eq.u64 %part44, %part43, 1152921504606846976;", "shr.u64 %part45, %part42, 20;",
                          "and.b64 %part46, %part45, 1048575;", "add.u64 %part47, %part46, 2305843009213693952;",
                          "@%part44 red.shared.add.u64 [%r1], %part47;", "mov.b64 %rd1, %part41;", "ret;"));
}

TEST(Mbarriers, count_bytes_that_are_missing) {
  const std::string add = "atom.shared.add.u64 %part42, [%r1], %part41;";
  const auto expecting = lowered_lines("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], %r2;\nret;");
  EXPECT_THAT(expecting, Contains("mul.lo.u64 %part41, %part40, 1099511627776;"));
  EXPECT_THAT(expecting, Contains(add));
  const auto completing = lowered_lines("mbarrier.complete_tx.relaxed.cta.shared.b64 [%r1], %r2;\nret;");
  EXPECT_THAT(completing, Contains("mul.lo.u64 %part41, %part40, -1099511627776;"));
  EXPECT_THAT(completing, Contains("@%part45 red.shared.add.u64 [%r1], %part48;"));
}

TEST(Mbarriers, expect_bytes_and_take_an_arrival_off_at_once) {
  const auto lines = lowered_lines("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %rd1, [%r1], 64;\nret;");
  EXPECT_EQ(lines[0], "mul.lo.u64 %part40, 1, -1;");
  EXPECT_EQ(lines[1], "mul.lo.u64 %part41, 64, 1099511627776;");
  EXPECT_EQ(lines[2], "add.u64 %part42, %part40, %part41;");
  EXPECT_EQ(lines[3], "atom.shared.add.u64 %part43, [%r1], %part42;");
}

TEST(Mbarriers, are_asked_by_phase_or_parity) {
  EXPECT_THAT(lowered_lines("mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;\nret;"),
              ElementsAre("ld.shared.u64 %part40, [%r1];", "shr.u64 %part41, %part40, 61;",
                          "shr.u64 %part42, %rd1, 61;", "setp.ne.u64 %p1, %part41, %part42;", "ret;"));
  EXPECT_EQ(lowered_lines("mbarrier.try_wait.parity.b64 %p1, [%rd1], 1, 20;\nret;")[3], "setp.ne.u64 %p1, %part42, 1;");
}

TEST(Mbarriers, of_other_blocks_and_what_cannot_expect_are_left) {
  for (const std::string line :
       {"mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%r1], 4;",
        "mbarrier.arrive.shared::cluster.b64 _, [%r1];", "mbarrier.init.expect_tx.shared.b64 [%r1], 4;"})
    EXPECT_THAT(lowered_lines(line + "\nret;")[0], AllOf(HasSubstr("mbarrier."), HasSubstr("[%r1]")));
}

TEST(Mbarriers, without_their_operands_are_left) {
  for (const std::string line :
       {"mbarrier.init.shared.b64 [%r1];", "mbarrier.arrive.shared.b64 %rd1;",
        "mbarrier.test_wait.shared.b64 %p1, [%r1];", "mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r1];"})
    EXPECT_EQ(lowered(line + "\nret;").body.size(), 2u) << line;
}

}  // namespace mbarriers_test
}  // namespace warpfork::lower
