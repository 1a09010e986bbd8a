// Which registers interfere: small kernels whose live ranges are told by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "unit/lower/allocated.h"

namespace warpfork::lower {
namespace interference_test {

TEST(Interference, of_a_chain_is_none_as_each_value_dies_where_the_next_is_made) {
  const Allocated chain("mov.u32 %r1, 1;\nadd.u32 %r2, %r1, 1;\nadd.u32 %r3, %r2, 1;\nst.global.u32 [64], %r3;\nret;");
  EXPECT_FALSE(chain.interfere("%r1", "%r2"));
  EXPECT_FALSE(chain.interfere("%r2", "%r3"));
}

TEST(Interference, is_there_where_a_value_is_made_while_another_waits) {
  const Allocated sum("mov.u32 %r1, 1;\nmov.u32 %r2, 2;\nadd.u32 %r3, %r1, %r2;\nst.global.u32 [64], %r3;\nret;");
  EXPECT_TRUE(sum.interfere("%r1", "%r2"));
  EXPECT_FALSE(sum.interfere("%r1", "%r3"));
}

TEST(Interference, of_a_result_that_nobody_reads_is_with_what_it_would_overwrite) {
  const Allocated dead("mov.u32 %r1, 1;\nmov.u32 %r2, 2;\nst.global.u32 [64], %r1;\nret;");
  EXPECT_TRUE(dead.interfere("%r1", "%r2"));
}

TEST(Interference, of_the_results_of_one_instruction_is_with_each_other) {
  const Allocated pair("ld.global.v2.u32 {%r1, %r2}, [64];\nst.global.u32 [64], %r1;\nret;");
  EXPECT_TRUE(pair.interfere("%r1", "%r2"));
  EXPECT_TRUE(Allocated("ld.global.v2.u32 {%r1, %r2}, [64];\nret;").interfere("%r1", "%r2"));  // nobody reads them
}

TEST(Interference, lasts_over_a_guarded_write_which_leaves_other_threads_the_old_value) {
  const std::string body =
      "mov.u32 %r1, 1;\nmov.u32 %r2, 2;\n{}mov.u32 %r1, 3;\nadd.u32 %r3, %r1, %r2;\n"
      "st.global.u32 [64], %r3;\nret;";
  const auto with = [&](const std::string& guard) {
    std::string text = body;
    return text.replace(text.find("{}"), 2, guard);
  };
  EXPECT_TRUE(Allocated(with("@%p0 ")).interfere("%r1", "%r2"));
  EXPECT_TRUE(Allocated(with("")).interfere("%r1", "%r2"));
  // Only the guarded write needs the first value of %r1 on: a third register in between tells them apart.
  const std::string between = "mov.u32 %r1, 1;\nmov.u32 %r4, 4;\nst.global.u32 [64], %r4;\n";
  EXPECT_TRUE(Allocated(between + "@%p0 mov.u32 %r1, 3;\nst.global.u32 [64], %r1;\nret;").interfere("%r1", "%r4"));
  EXPECT_TRUE(
      Allocated("mov.u32 %r4, 4;\nst.global.u32 [64], %r4;\n@%p0 mov.u32 %r1, 3;\nst.global.u32 [64], %r1;\nret;")
          .interfere("%r1", "%r4"));
  EXPECT_FALSE(Allocated("mov.u32 %r4, 4;\nst.global.u32 [64], %r4;\nmov.u32 %r1, 3;\nst.global.u32 [64], %r1;\nret;")
                   .interfere("%r1", "%r4"));
}

TEST(Interference, begins_at_the_entry_where_a_register_may_be_read_before_it_is_written) {
  const Allocated unwritten(
      "mov.u32 %r1, 1;\nst.global.u32 [64], %r1;\nst.global.u32 [64], %r2;\nst.global.u32 [64], %r3;\nret;");
  EXPECT_TRUE(unwritten.interfere("%r1", "%r2"));
  EXPECT_TRUE(unwritten.interfere("%r2", "%r3"));  // both are zero, but of their own
}

TEST(Interference, goes_round_a_loop) {
  const Allocated loop(
      "mov.u32 %r1, 10;\nmov.u32 %r2, 0;\nL:\nadd.u32 %r3, %r2, 1;\nmov.u32 %r2, %r3;\n"
      "setp.lt.u32 %p0, %r2, %r1;\n@%p0 bra L;\nret;");
  EXPECT_TRUE(loop.interfere("%r1", "%r3"));   // the bound waits while the body computes
  EXPECT_FALSE(loop.interfere("%r2", "%r3"));  // one is the other, moved
}

TEST(Interference, of_the_sides_of_a_move_is_none_until_one_is_written_again) {
  const std::string copied = "ld.global.u32 %r1, [64];\nmov.u32 %r2, %r1;\n";
  const std::string used = "st.global.u32 [64], %r1;\nst.global.u32 [64], %r2;\nret;";
  EXPECT_FALSE(Allocated(copied + used).interfere("%r1", "%r2"));
  EXPECT_TRUE(Allocated(copied + "add.u32 %r2, %r2, 1;\n" + used).interfere("%r1", "%r2"));
}

TEST(Interference, is_between_a_predicate_and_its_contrary) {
  const Allocated contrary(
      "setp.eq.u32 %p1, %r0, 0;\nmov.pred %p2, !%p1;\n@%p1 st.global.u32 [64], 1;\n@%p2 st.global.u32 [64], 2;\nret;");
  EXPECT_TRUE(contrary.interfere("%p1", "%p2"));
}

TEST(Interference, is_not_between_files) {
  const Allocated files(
      "mov.u32 %r1, 1;\nmov.u32 %r2, 2;\nsetp.eq.u32 %p0, %r1, %r2;\n"
      "@%p0 st.global.u32 [64], %r1;\nst.global.u32 [64], %r2;\nret;",
      {}, {"%r1"});
  EXPECT_FALSE(files.interfere("%r1", "%r2"));
  EXPECT_FALSE(files.interfere("%r1", "%p0"));
}

// STSIMT 4.3: %r1 is dead on the side that the threads with %p0 take, but alive at the first instruction of the other.
const std::string kParted =
    "ld.global.u32 %r1, [64];\nsetp.eq.u32 %p0, %r1, 0;\n@%p0 bra TAKEN;\nst.global.u32 [128], %r1;\nbra JOIN;\n"
    "TAKEN:\nld.global.u32 %r2, [64];\nst.global.u32 [192], %r2;\nJOIN:\nret;";

TEST(Interference, of_scalar_registers_is_there_with_what_the_other_side_of_a_branch_needs) {
  EXPECT_TRUE(Allocated(kParted, {}, {"%r1", "%r2"}).interfere("%r1", "%r2"));
}

// %r1 and %r2 live on one side each, from its second instruction on: one after the other they can share a place.
const std::string kApart =
    "setp.eq.u32 %p0, %r0, 0;\n@%p0 bra TAKEN;\nld.global.u32 %r1, [64];\nst.global.u32 [128], %r1;\nbra JOIN;\n"
    "TAKEN:\nld.global.u32 %r2, [64];\nst.global.u32 [192], %r2;\nJOIN:\nret;";

TEST(Interference, of_scalar_registers_is_with_all_of_the_other_side_where_both_run_at_once) {
  EXPECT_FALSE(Allocated(kApart, {}, {"%r1", "%r2"}).interfere("%r1", "%r2"));
  EXPECT_TRUE(Allocated(kApart, {.sides = {.at_once = true}}, {"%r1", "%r2"}).interfere("%r1", "%r2"));
  EXPECT_FALSE(Allocated(kApart, {.sides = {.at_once = true}}).interfere("%r1", "%r2"));
}

TEST(Interference, of_vector_registers_is_not_as_each_thread_goes_one_way) {
  EXPECT_FALSE(Allocated(kParted).interfere("%r1", "%r2"));
}

TEST(Interference, is_kept_in_order_when_registers_come_and_go) {
  const Allocated three("ld.global.u32 %r1, [64];\nld.global.u32 %r2, [64];\nst.global.v2.u32 [64], {%r1, %r2};\nret;");
  InterferenceGraph graph = three.graph();
  const ptx::RegisterId first = three.id("%r1"), second = three.id("%r2"),
                        added = static_cast<ptx::RegisterId>(three.function().registers.size());
  graph.add({first, second});
  EXPECT_THAT(graph.neighbours(first), testing::ElementsAre(second, added));
  graph.remove(std::array{second});
  EXPECT_THAT(graph.neighbours(first), testing::ElementsAre(added));
  EXPECT_THAT(graph.neighbours(second), testing::IsEmpty());
}

}  // namespace interference_test
}  // namespace warpfork::lower
