// Which instructions count as those of divergent paths (docs/result-schema.md, "divergent_paths"). Expected values by
// hand: instructions of a path times the warps that run it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gtx480_spec.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace divergent_paths_test {

/// Warp instructions and thread instructions.
using Counts = std::pair<std::uint64_t, std::uint64_t>;

Counts on_divergent_paths(const Kernel& kernel, const std::string& mechanism) {
  const report::DivergentPathCount count = kernel.run(one_core(mechanism)).divergent_paths;
  return {count.warp_instructions, count.thread_instructions};
}

TEST(DivergentPaths, are_the_sides_of_a_branch_at_which_a_warp_parts) {
  const Kernel kernel = if_else("mov.u32 %r2, %thread;");
  EXPECT_EQ(on_divergent_paths(kernel, "pdom"), Counts(2 * 3, 2 * 3 * 16));
  EXPECT_EQ(on_divergent_paths(kernel, "multi-path"), Counts(2 * 3, 2 * 3 * 16));
}

TEST(DivergentPaths, are_run_by_full_warps_where_compaction_fills_them) {
  const Kernel kernel = if_else("add.u32 %r2, %thread, 16; shr.u32 %r2, %r2, 5;");  // outer halves: even
  EXPECT_EQ(on_divergent_paths(kernel, "pdom"), Counts(2 * 3, 2 * 3 * 16));
  EXPECT_EQ(on_divergent_paths(kernel, "tbc"), Counts(3, 3 * 32));
  EXPECT_EQ(on_divergent_paths(kernel, "capri"), Counts(3, 3 * 32));
}

// Under tbc the taken side, warp 1's, runs in place 0.
TEST(DivergentPaths, do_not_hold_warps_that_go_one_way_as_a_whole) {
  const Kernel kernel = if_else("shr.u32 %r2, %thread, 5;");
  for (const char* mechanism : {"pdom", "tbc", "capri"})
    EXPECT_EQ(on_divergent_paths(kernel, mechanism), Counts(0, 0)) << mechanism;
}

TEST(DivergentPaths, do_not_hold_the_exit_of_a_warp_that_is_whole_in_the_place_of_another) {
  const Kernel kernel{R"(
      setp.ge.u32 %p0, %thread, 32;
      @%p0 bra SECOND;
      st.global.u32 [%mine], %thread;
      exit;
    SECOND:
      exit;)",
                      {1, 1, 1},
                      {64, 1, 1}};
  EXPECT_EQ(on_divergent_paths(kernel, "tbc"), Counts(0, 0));
}

TEST(DivergentPaths, end_when_the_other_threads_of_the_warp_have_exited) {
  const Kernel kernel{R"(
      setp.ge.u32 %p0, %thread, 20;
      @%p0 bra SECOND;
      add.u32 %r2, %thread, 1;
      st.global.u32 [%mine], %r2;
      exit;
    SECOND:
      exit;)",
                      {1, 1, 1},
                      {32, 1, 1}};
  EXPECT_EQ(on_divergent_paths(kernel, "pdom"), Counts(1, 12));  // the taken side's exit comes first
}

/// CAPRI Figure 9 with loops of 100 turns, in which sides of 2 and of 1 instructions do the same.
Kernel figure_9() {
  const std::string loop = R"(
      mov.u32 %r5, 0;
    LOOP_{0}:
      and.b32 %r3, %r2, 1;
      setp.ne.u32 %p0, %r3, 0;
      @%p0 bra SECOND_{0};
      add.u32 %r4, %r5, 1;
      bra MEET_{0};
    SECOND_{0}:
      add.u32 %r4, %r5, 1;
    MEET_{0}:
      mov.u32 %r5, %r4;
      setp.lt.u32 %p1, %r5, 100;
      @%p1 bra LOOP_{0};)";
  return {"add.u32 %r2, %thread, 16; shr.u32 %r2, %r2, 5;" + fmt::format(fmt::runtime(loop), "OUTER_HALVES") +
              "mov.u32 %r2, %thread;" + fmt::format(fmt::runtime(loop), "ODD") + "ret;",
          {1, 1, 1},
          {64, 1, 1}};
}

// Half of the lanes under pdom; 2/3 with compaction, which fills the warps of the first loop and none of the second.
TEST(DivergentPaths, of_figure_9_need_three_quarters_of_the_warp_instructions_with_compaction) {
  const std::uint64_t threads = 2 * 100 * 3 * 32;
  EXPECT_EQ(on_divergent_paths(figure_9(), "pdom"), Counts(2 * 100 * 3 * 2, threads));
  EXPECT_EQ(on_divergent_paths(figure_9(), "tbc"), Counts(100 * 3 + 100 * 3 * 2, threads));
  EXPECT_EQ(on_divergent_paths(figure_9(), "capri"), Counts(100 * 3 + 100 * 3 * 2, threads));
}

}  // namespace divergent_paths_test
}  // namespace warpfork::gpu
