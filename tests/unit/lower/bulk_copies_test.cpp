// What cp.async.bulk becomes, instruction by instruction (PTX ISA, "cp.async.bulk").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace bulk_copies_test {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string kLoad = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes ";
const std::string kStore = "cp.async.bulk.global.shared::cta.bulk_group ";

/// Instructions from the first one that begins so.
std::vector<std::string> from(const std::string& first, std::vector<std::string> lines) {
  while (!lines.empty() && !lines.front().starts_with(first)) lines.erase(lines.begin());
  return lines;
}

TEST(BulkCopies, move_sixteen_bytes_a_load_and_four_loads_together) {
  const auto lines = lowered_lines(kLoad + "[%r1+8], [%rd1], 80, [%r2];\nret;");
  EXPECT_THAT(std::vector(lines.begin(), lines.begin() + 5),
              ElementsAre("mov.u32 %moving41, %r1;", "mov.u64 %moving42, %rd1;", "mov.u32 %left40, 80;",
                          "setp.gt.u32 %part43, %left40, 0;", "@!%part43 bra bulk copy; -> 21"));
  EXPECT_EQ(lines[5], "ld.global.v4.b32 {%copied44, %copied45, %copied46, %copied47}, [%moving42];");
  EXPECT_EQ(lines[6], "setp.gt.u32 %part52, %left40, 16;");
  EXPECT_EQ(lines[7], "@%part52 ld.global.v4.b32 {%copied48, %copied49, %copied50, %copied51}, [%moving42+16];");
  EXPECT_EQ(lines[12], "st.shared.v4.b32 [%moving41+8], {%copied44, %copied45, %copied46, %copied47};");
  EXPECT_EQ(lines[13], "@%part52 st.shared.v4.b32 [%moving41+24], {%copied48, %copied49, %copied50, %copied51};");
}

TEST(BulkCopies, go_on_until_nothing_is_left) {
  const auto loop = from("add.u64 %moving41, %moving41, 64", lowered_lines(kStore + "[%rd1], [%r1], 80;\nret;"));
  EXPECT_THAT(loop, ElementsAre("add.u64 %moving41, %moving41, 64;", "add.u32 %moving42, %moving42, 64;",
                                "setp.gt.u32 %part63, %left40, 64;", "add.u32 %left40, %left40, -64;",
                                "@%part63 bra bulk copy; -> 5", "ret;"));
}

TEST(BulkCopies, take_their_bytes_off_an_mbarrier_when_they_are_there) {
  const auto behind = from("@%part64 bra", lowered_lines("@%p1 " + kLoad + "[%r1], [%rd1], %r2, [%r3];\nret;"));
  EXPECT_EQ(behind[1], "cvt.u64.u32 %part65, %r2;");
  EXPECT_EQ(behind[2], "mul.lo.u64 %part66, %part65, -1099511627776;");  // -2^40, see mbarrier_word.h
  EXPECT_EQ(behind[3], "@%p1 red.release.shared.mbarrier.u64 [%r3], %part66;");
}

TEST(BulkCopies, whose_size_in_a_register_is_no_multiple_of_sixteen_are_misaligned) {
  EXPECT_THAT(
      lowered_lines("@%p1 " + kStore + "[%rd1], [%r1], %r2;\nret;"),
      AllOf(Contains("and.b32 %part43, %r2, 15;"), Contains("cvt.u64.u32 %part44, %part43;"),
            Contains("or.b64 %moving41, %moving41, %part44;"), Contains("setp.gt.and.u32 %part45, %left40, 0, %p1;")));
}

TEST(BulkCopies, are_there_when_they_are_committed_and_waited_for) {
  EXPECT_THAT(lowered_lines("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\n"
                            "cp.async.bulk.prefetch.L2.global [%rd1], 16;\nret;"),
              ElementsAre("ret;"));
}

TEST(BulkCopies, of_other_kinds_are_left) {
  for (const std::string& line :
       {kLoad + "[%r1], [%rd1], 24, [%r2];", kStore + "[%rd1], %r1, 16;",
        std::string("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 16;"),
        std::string("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], [%r2], 16, [%r3];")})
    EXPECT_THAT(lowered_lines(line + "\nret;")[0], HasSubstr("async.bulk")) << line;
}

}  // namespace bulk_copies_test
}  // namespace warpfork::lower
