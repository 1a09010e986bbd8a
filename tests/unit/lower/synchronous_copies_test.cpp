// What cp.async becomes, instruction by instruction (PTX ISA, "cp.async").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace synchronous_copies_test {

using testing::ElementsAre;

TEST(SynchronousCopies, are_a_load_and_a_store) {
  EXPECT_THAT(lowered_lines("cp.async.ca.shared.global [%r1], [%rd1+4], 4;\ncp.async.wait_all;\nret;"),
              ElementsAre("ld.global.b32 %copied40, [%rd1+4];", "st.shared.b32 [%r1], %copied40;", "ret;"));
  EXPECT_THAT(lowered_lines("@!%p1 cp.async.cg.shared::cta.global.L2::128B [%r1+16], [%rd1], 8;\nret;"),
              ElementsAre("@!%p1 ld.global.cg.v2.b32 {%copied40, %copied41}, [%rd1];",
                          "@!%p1 st.shared.v2.b32 [%r1+16], {%copied40, %copied41};", "ret;"));
}

TEST(SynchronousCopies, loads_of_one_after_the_other_come_before_the_stores) {
  EXPECT_THAT(
      lowered_lines("cp.async.ca.shared.global [%r1], [%rd1], 4;\nadd.u64 %rd1, %rd1, 64;\n"
                    "cp.async.ca.shared.global [%r1+4], [%rd1], 4;\ncp.async.commit_group;\nret;"),
      ElementsAre("ld.global.b32 %copied40, [%rd1];", "add.u64 %rd1, %rd1, 64;", "ld.global.b32 %copied41, [%rd1];",
                  "st.shared.b32 [%r1], %copied40;", "st.shared.b32 [%r1+4], %copied41;", "ret;"));
}

TEST(SynchronousCopies, a_store_stands_before_what_changes_its_operands_and_what_may_see_it) {
  const std::string copy = "cp.async.ca.shared.global [%r1], [%rd1], 4;\n", store = "st.shared.b32 [%r1], %copied40;";
  for (const char* next : {"add.u32 %r1, %r1, 4;", "bar.sync 0;", "ld.shared.u32 %r2, [%r3];",
                           "@%p1 bra L;\nL:", "L: bra L;", "L: mov.u32 %r2, 0;\nbra L;"})
    EXPECT_EQ(lowered_lines(copy + next + "\nret;")[1], store) << next;
  EXPECT_EQ(lowered_lines("@%p1 " + copy + "setp.eq.u32 %p1, %r1, 0;\nret;")[1], "@%p1 " + store);
}

TEST(SynchronousCopies, what_is_left_out_of_the_source_is_zero) {
  EXPECT_THAT(lowered_lines("cp.async.ca.shared.global [%r1], [%rd1], 8, 4;\nret;"),
              ElementsAre("mov.b32 %copied41, 0;", "ld.global.b32 %copied40, [%rd1];",
                          "st.shared.v2.b32 [%r1], {%copied40, %copied41};", "ret;"));
  EXPECT_THAT(lowered_lines("cp.async.ca.shared.global [%r1], [%rd1], 4, 0;\nret;"),
              ElementsAre("mov.b32 %copied40, 0;", "st.shared.b32 [%r1], %copied40;", "ret;"));
}

TEST(SynchronousCopies, a_literal_size_may_end_within_a_word) {
  EXPECT_THAT(lowered_lines("cp.async.ca.shared.global [%r1], [%rd1], 4, 1;\nret;"),
              ElementsAre("mov.b32 %copied40, 0;", "ld.global.u8 %copied40, [%rd1];", "st.shared.b32 [%r1], %copied40;",
                          "ret;"));
  EXPECT_THAT(lowered_lines("@%p1 cp.async.ca.shared.global [%r1], [%rd1], 8, 6;\nret;"),
              ElementsAre("mov.b32 %copied41, 0;", "@%p1 ld.global.b32 %copied40, [%rd1];",
                          "@%p1 ld.global.u16 %copied41, [%rd1+4];",
                          "@%p1 st.shared.v2.b32 [%r1], {%copied40, %copied41};", "ret;"));
  EXPECT_THAT(lowered_lines("cp.async.ca.shared.global [%r1], [%rd1+4], 4, 3;\nret;"),
              ElementsAre("mov.b32 %copied40, 0;", "ld.global.u16 %copied40, [%rd1+4];", "mov.b32 %part41, 0;",
                          "ld.global.u8 %part41, [%rd1+6];", "shl.b32 %part42, %part41, 16;",
                          "or.b32 %copied40, %copied40, %part42;", "st.shared.b32 [%r1], %copied40;", "ret;"));
}

TEST(SynchronousCopies, a_predicate_and_a_size_in_a_register_choose_in_the_run) {
  EXPECT_THAT(lowered_lines("cp.async.ca.shared.global [%r1], [%rd1], 8, %r2;\nret;"),
              ElementsAre("mov.b32 %copied40, 0;", "mov.b32 %copied41, 0;", "setp.ge.u32 %part42, %r2, 8;",
                          "@%part42 ld.global.v2.b32 {%copied40, %copied41}, [%rd1];", "setp.lt.u32 %part43, %r2, 8;",
                          "setp.ge.and.u32 %part44, %r2, 4, %part43;", "@%part44 ld.global.b32 %copied40, [%rd1];",
                          "and.b32 %part45, %r2, 3;", "setp.gt.u32 %part46, %part45, 0;", "@%part46 trap.async;",
                          "st.shared.v2.b32 [%r1], {%copied40, %copied41};", "ret;"));
  EXPECT_THAT(
      lowered_lines("@%p1 cp.async.ca.shared.global [%r1], [%rd1], 4, !%p2;\nret;"),
      ElementsAre("selp.b32 %part41, 4, 0, %p2;", "mov.b32 %copied40, 0;", "setp.ge.and.u32 %part42, %part41, 4, %p1;",
                  "@%part42 ld.global.b32 %copied40, [%rd1];", "@%p1 st.shared.b32 [%r1], %copied40;", "ret;"));
}

TEST(SynchronousCopies, others_are_left_as_they_are) {
  const std::string line = "cp.async.ca.shared.global [%r1], [%rd1], 12;";
  EXPECT_EQ(lowered_lines(line + "\nret;")[0], line);
}

}  // namespace synchronous_copies_test
}  // namespace warpfork::lower
