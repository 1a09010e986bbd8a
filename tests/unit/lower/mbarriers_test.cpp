// What mbarrier instructions become (PTX ISA, "mbarrier"). That it is right, the differential tests of simt say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lower/mbarrier_word.h"
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

TEST(Mbarriers, who_arrives_last_begins_the_next_phase_by_the_same_operation) {
  EXPECT_THAT(
      lowered_lines("mbarrier.arrive.release.cta.shared::cta.b64 %rd1, [%r1];\nret;"),
      ElementsAre("mul.lo.u64 %part40, 1, -1;", "atom.release.shared.mbarrier.u64 %rd1, [%r1], %part40;", "ret;"));
  EXPECT_THAT(
      lowered_lines("@%p1 mbarrier.arrive_drop.shared.b64 _, [%r1];\nret;"),
      ElementsAre("mul.lo.u64 %part40, 1, -1048577;", "@%p1 red.release.shared.mbarrier.u64 [%r1], %part40;", "ret;"));
}

// By the fields of mbarrier_word.h: 2^20 · 3 arrivals a phase, 2^60 for no bytes, a byte is 2^40, a phase 2^61.
TEST(Mbarriers, begin_the_next_phase_when_neither_arrivals_nor_bytes_are_missing) {
  constexpr std::uint64_t kBegun = MbarrierWord::kNoBytes + 3 * MbarrierWord::kArrival;
  const auto after = [](std::uint64_t before, std::uint64_t difference) {
    return MbarrierWord::changed(before, difference) - kBegun;
  };
  EXPECT_EQ(after(kBegun - 1, 0 - 1ull), 0 - 2ull);
  EXPECT_EQ(after(kBegun - 2, 0 - 1ull), 1ull << 61);
  EXPECT_EQ(after(kBegun - 2, 8ull << 40), (8ull << 40) - 2);
  EXPECT_EQ(after(kBegun + (8ull << 40) - 2, 0 - 1ull), (8ull << 40) - 3);
  EXPECT_EQ(after(kBegun + (8ull << 40) - 3, 0 - (8ull << 40)), 1ull << 61);
  EXPECT_EQ(after(kBegun + (1ull << 61), 0), 1ull << 61);  // no bytes are expected of a phase that has begun
}

TEST(Mbarriers, count_bytes_that_are_missing) {
  const auto expecting = lowered_lines("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], %r2;\nret;");
  EXPECT_THAT(expecting, Contains("mul.lo.u64 %part41, %part40, 1099511627776;"));
  EXPECT_THAT(expecting, Contains("red.relaxed.shared.mbarrier.u64 [%r1], %part41;"));
  const auto completing = lowered_lines("mbarrier.complete_tx.relaxed.cta.shared.b64 [%r1], %r2;\nret;");
  EXPECT_THAT(completing, Contains("mul.lo.u64 %part41, %part40, -1099511627776;"));
  EXPECT_THAT(completing, Contains("red.relaxed.shared.mbarrier.u64 [%r1], %part41;"));
}

TEST(Mbarriers, expect_bytes_and_take_an_arrival_off_at_once) {
  const auto lines = lowered_lines("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %rd1, [%r1], 64;\nret;");
  EXPECT_EQ(lines[0], "mul.lo.u64 %part40, 1, -1;");
  EXPECT_EQ(lines[1], "mul.lo.u64 %part41, 64, 1099511627776;");
  EXPECT_EQ(lines[2], "add.u64 %part42, %part40, %part41;");
  EXPECT_EQ(lines[3], "atom.release.shared.mbarrier.u64 %rd1, [%r1], %part42;");
}

TEST(Mbarriers, are_asked_by_phase_or_parity) {
  EXPECT_THAT(lowered_lines("mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;\nret;"),
              ElementsAre("ld.acquire.shared.u64 %part40, [%r1];", "shr.u64 %part41, %part40, 61;",
                          "shr.u64 %part42, %rd1, 61;", "setp.ne.u64 %p1, %part41, %part42;", "ret;"));
  EXPECT_EQ(lowered_lines("mbarrier.try_wait.parity.b64 %p1, [%rd1], 1, 20;\nret;")[3], "setp.ne.u64 %p1, %part42, 1;");
}

TEST(Mbarriers, of_other_blocks_and_what_cannot_expect_are_left) {
  for (const std::string line :
       {"mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%r1], 4;",
        "mbarrier.arrive.shared::cluster.b64 _, [%r1];", "mbarrier.init.expect_tx.shared.b64 [%r1], 4;"})
    EXPECT_THAT(lowered_lines(line + "\nret;")[0], AllOf(HasSubstr("mbarrier."), HasSubstr("[%r1]")));
}

}  // namespace mbarriers_test
}  // namespace warpfork::lower
