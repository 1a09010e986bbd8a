#include "gpu/dispatch_stage.h"

#include <gtest/gtest.h>

#include <utility>

#include "effects_bench.h"
#include "fixed_lanes.h"

namespace warpfork::gpu {
namespace dispatch_stage_test {

class Issues final : public report::LaunchListener {
 public:
  void issued(const report::IssueEvent& event) override { events.push_back(event); }
  bool observes_issues() const override { return true; }
  void ran(const report::IssueRun& run) override { runs.push_back(run); }
  void branched(const report::BranchEvent& event) override { branches.push_back({event.pc, event.places}); }
  std::vector<report::IssueEvent> events;
  std::vector<report::IssueRun> runs;
  std::vector<std::pair<Pc, unsigned>> branches;
};

class Steps final : public report::LaunchListener {
 public:
  void block_started(const report::BlockEvent&) override { ++blocks; }
  void issued(const report::IssueEvent& event) override { pcs.push_back(event.pc); }
  bool observes_issues() const override { return true; }
  unsigned blocks = 0;
  std::vector<Pc> pcs;
};

/// A block of two warps whose instructions are dispatched as a test says.
struct Dispatch {
  EffectsBench bench;
  FixedLanes lanes;
  Issues heard;
  DispatchStage of{bench.buffers.spec,
                   0,
                   bench.buffers.conditions.timings(),
                   bench.pool,
                   lanes,
                   bench.buffers.blocks,
                   bench.buffers.registers,
                   bench.buffers.operations,
                   bench.buffers.of,
                   bench.of};

  Dispatch() { of.begin_kernel(0, heard); }
  /// The entry's next instruction is there and is issued, whatever it waits for.
  void issue(unsigned entry) {
    const Pc pc = bench.buffers.of.entries()[entry].split->pc;
    bench.buffers.of.decode({entry, pc, 1});
    of.dispatch(entry, 0);
  }
  void issue_until_lanes_part() {
    while (bench.buffers.runnable(0).size() == 1) issue(0);
  }
};

TEST(DispatchStage, executes_the_instruction_and_tells_of_it) {
  Dispatch dispatch;
  dispatch.issue(0);
  ASSERT_EQ(dispatch.heard.events.size(), 1u);
  EXPECT_EQ(dispatch.heard.events[0].pc, 0u);
  EXPECT_EQ(dispatch.heard.events[0].active.count(), 32u);
  EXPECT_EQ(dispatch.bench.block().domain().split(dispatch.bench.buffers.runnable(0)[0]).pc, 1u);
}

TEST(DispatchStage, leaves_the_instruction_outstanding_and_its_registers_pending) {
  Dispatch dispatch;
  EXPECT_TRUE(dispatch.bench.buffers.operations.drained(0));
  dispatch.issue(0);
  EXPECT_FALSE(dispatch.bench.buffers.operations.drained(0));
  EXPECT_TRUE(dispatch.bench.buffers.registers.scoreboard().pending(0));
  EXPECT_FALSE(dispatch.bench.buffers.registers.scoreboard().pending(1));
}

TEST(DispatchStage, tells_of_a_guarded_branch_behind_the_run_that_it_ends) {
  Dispatch dispatch;
  dispatch.issue(0);
  EXPECT_TRUE(dispatch.heard.runs.empty());
  dispatch.issue_until_lanes_part();
  ASSERT_EQ(dispatch.heard.runs.size(), 1u);
  const report::IssueRun& run = dispatch.heard.runs[0];
  EXPECT_EQ(run.instructions, dispatch.heard.events.size());
  EXPECT_EQ(run.executed, 32 * (run.instructions - 1) + 16);
  EXPECT_EQ(run.divergent, 0u);
  EXPECT_EQ(dispatch.heard.branches, (std::vector<std::pair<Pc, unsigned>>{{dispatch.heard.events.back().pc, 2}}));
}

TEST(DispatchStage, tells_of_what_a_warp_ran_last_at_the_end_of_the_kernel) {
  Dispatch dispatch;
  dispatch.issue_until_lanes_part();
  dispatch.issue(0);  // the first instruction of one side
  ASSERT_EQ(dispatch.heard.runs.size(), 1u);
  dispatch.of.report(0);
  ASSERT_EQ(dispatch.heard.runs.size(), 2u);
  EXPECT_EQ(dispatch.heard.runs[1].active.count(), 16u);
  EXPECT_EQ(dispatch.heard.runs[1].live.count(), 32u);
  EXPECT_EQ(dispatch.heard.runs[1].divergent, 1u);
}

TEST(DispatchStage, lets_a_listener_follow_each_step_while_it_wants_to) {
  Dispatch dispatch;
  Steps steps;
  dispatch.of.also_tell(&steps);
  dispatch.of.started(0, {0, 0, 0}, 0);
  dispatch.issue(0);
  dispatch.of.also_tell(nullptr);
  dispatch.issue(0);
  EXPECT_EQ(steps.blocks, 1u);
  EXPECT_EQ(steps.pcs, std::vector<Pc>{0});
}

}  // namespace dispatch_stage_test
}  // namespace warpfork::gpu
