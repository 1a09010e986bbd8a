#include "gpu/issue_stage.h"

#include <gtest/gtest.h>

#include "buffer_bench.h"
#include "fixed_lanes.h"

namespace warpfork::gpu {
namespace issue_stage_test {

using report::StallCause;

/// One or two schedulers for two warps.
struct Stage {
  BufferBench buffers;
  FixedLanes lanes;
  IssueStage of;
  report::LaunchListener nobody;

  explicit Stage(unsigned schedulers = 1, bool regroups = false)
      : buffers("ret;", schedulers), of(buffers.spec, regroups, lanes, buffers.blocks, buffers.of) {
    of.begin_kernel(0, nobody);
  }
  /// The warp's entry holds its split's next instruction.
  void fill(unsigned warp) {
    buffers.bind(warp);
    buffers.of.decode({warp, 0, 1});
  }
};

TEST(IssueStage, chooses_among_the_warps_of_the_scheduler) {
  Stage stage(2);
  stage.fill(0);
  EXPECT_EQ(stage.of.choose(1), std::nullopt);
  stage.fill(1);
  EXPECT_EQ(stage.of.choose(0), 0u);
  EXPECT_EQ(stage.of.choose(1), 1u);
}

TEST(IssueStage, passes_over_a_warp_whose_lane_is_busy) {
  Stage stage;
  stage.fill(0);
  stage.fill(1);
  EXPECT_EQ(stage.of.choose(0), 0u);  // the older one
  stage.lanes.room().set_warps(WarpSlots(0b10));
  EXPECT_EQ(stage.of.choose(0), 1u);
  stage.lanes.room().set_warps({});
  EXPECT_EQ(stage.of.choose(0), std::nullopt);
  EXPECT_EQ(stage.of.stall_cause(0), StallCause::Pipeline);
}

TEST(IssueStage, passes_over_a_warp_whose_port_is_taken) {
  Stage stage;
  stage.fill(0);
  ASSERT_EQ(stage.buffers.state(0), EntryState::ReadyMemory);  // ret's way
  stage.lanes.room().set(Port::Sp, false);
  EXPECT_EQ(stage.of.choose(0), 0u);
  stage.lanes.room().set(Port::Memory, false);
  EXPECT_EQ(stage.of.choose(0), std::nullopt);
}

TEST(IssueStage, lets_splits_of_a_warp_take_turns) {
  Stage stage;
  DivergenceDomain& domain = stage.buffers.blocks.block(0).domain();
  const Path paths[] = {{1, ActiveMask(0xffff)}, {2, ActiveMask(0xffff0000)}};
  domain.advance(stage.buffers.runnable(0)[0], paths, 3);
  stage.buffers.bind(0);
  for (unsigned entry = 0; entry < 2; ++entry)
    stage.buffers.of.decode({entry, stage.buffers.of.entries()[entry].fetch_pc, 1});
  const std::optional<unsigned> first = stage.of.choose(0);
  const std::optional<unsigned> second = stage.of.choose(0);
  EXPECT_NE(first, second);
  EXPECT_EQ(stage.of.choose(0), first);
}

TEST(IssueStage, names_the_cause_that_holds_back_the_split_nearest_to_issuing) {
  Stage stage;
  EXPECT_EQ(stage.of.stall_cause(0), StallCause::NoWarp);
  stage.fill(0);
  stage.buffers.operations.table_entry_asked(0);
  stage.buffers.of.refresh(0);
  EXPECT_EQ(stage.of.stall_cause(0), StallCause::Memory);
  stage.buffers.bind(1);  // without its instruction
  EXPECT_EQ(stage.of.stall_cause(0), StallCause::Fetch);
}

TEST(IssueStage, says_that_threads_which_are_regrouped_elsewhere_wait_for_compaction) {
  EXPECT_EQ(Stage(1, true).of.stall_cause(0), StallCause::Compaction);  // live threads, no split that may issue
  EXPECT_EQ(Stage(1, false).of.stall_cause(0), StallCause::NoWarp);
}

}  // namespace issue_stage_test
}  // namespace warpfork::gpu
