#include "gpu/thread_census.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "divergence/registry.h"
#include "fixed_lanes.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace thread_census_test {

using report::ThreadState;

class Splits final : public report::LaunchListener {
 public:
  void split(const report::SplitEvent& event) override {
    of_splits.assign(event.threads.begin(), event.threads.end());
    cycles += event.cycles;
  }
  void threads(report::Stamp, const report::ThreadCycles& cycles) override { finished = cycles; }
  void tables_used(report::Stamp, unsigned splits, unsigned) override { most_splits = std::max(most_splits, splits); }
  std::vector<unsigned> of_splits;
  Cycle cycles = 0;
  report::ThreadCycles finished{};
  unsigned most_splits = 0;
};

/// One block of a warp of four threads, which has come in cycle 10.
struct Census {
  Kernel kernel{"setp.eq.u32 %p0, %thread, 0; @%p0 exit; ret;", {1, 1, 1}, {4, 1, 1}};
  BlockSlots blocks{2};
  InstructionBuffers buffers{2};
  ThreadCensus census{0, 2, blocks, buffers};
  Splits splits;

  Census() {
    blocks.begin_kernel(kernel.launch(), 1, find_divergence_mechanism("multi-path").of_core({}));
    census.begin_kernel(4, 1, splits);
    buffers.set_clock(10);
    blocks.start({0, 0, 0}, 0);
    census.count_block(0);
    census.count_splits(0, 0);
  }
  Cycle cycles(ThreadState state) const { return census.thread_cycles()[static_cast<unsigned>(state)]; }
};

TEST(ThreadCensus, calls_a_live_thread_without_an_entry_suspended) {
  Census at;
  EXPECT_EQ(at.cycles(ThreadState::Suspended), 0u);
  at.buffers.set_clock(13);
  EXPECT_EQ(at.cycles(ThreadState::Suspended), 4u * 3);
}

TEST(ThreadCensus, counts_a_thread_by_the_state_of_its_split_s_entry) {
  Census at;
  at.buffers.set_state(0, EntryState::BlockedMemory);
  at.buffers.set_threads(0, 3);
  at.buffers.set_clock(15);
  EXPECT_EQ(at.cycles(ThreadState::DataHazard), 3u * 5);
  EXPECT_EQ(at.cycles(ThreadState::Suspended), 1u * 5);
}

TEST(ThreadCensus, calls_a_ready_thread_eligible_unless_its_unit_s_entry_is_taken) {
  FixedLanes lanes;
  lanes.room().set(Port::Sp, false);
  Census at;
  at.buffers.set_state(0, EntryState::ReadySp);
  at.buffers.set_threads(0, 4);
  at.buffers.set_clock(12);
  at.census.count_busy_units(lanes.room());  // in one of the two cycles
  EXPECT_EQ(at.cycles(ThreadState::Eligible), 4u);
  EXPECT_EQ(at.cycles(ThreadState::StructuralHazard), 4u);
}

TEST(ThreadCensus, calls_a_ready_thread_eligible_only_while_its_warp_s_lane_is_free) {
  FixedLanes lanes;
  Census at;
  at.buffers.set_state(0, EntryState::ReadySp);
  at.buffers.set_threads(0, 4);
  at.buffers.set_clock(12);
  lanes.room().set_warps(WarpSlots::single(0));
  at.census.count_busy_units(lanes.room());
  EXPECT_EQ(at.cycles(ThreadState::Eligible), 2u * 4);
  lanes.room().set_warps(WarpSlots::single(1));
  at.census.count_busy_units(lanes.room());
  EXPECT_EQ(at.cycles(ThreadState::Eligible), 4u);
}

TEST(ThreadCensus, calls_an_exited_thread_finished_until_its_block_is) {
  Census at;
  ResidentBlock& block = at.blocks.block(0);
  const auto run_until = [&](unsigned threads) {
    while (block.live_threads() != threads) block.execute(block.domain().runnable(0).front(), 0);
    at.census.count_block(0);
  };
  at.buffers.set_clock(20);
  run_until(3);
  at.buffers.set_clock(25);
  EXPECT_EQ(at.cycles(ThreadState::Finished), 1u * 5);
  run_until(0);
  at.buffers.set_clock(30);
  EXPECT_EQ(at.cycles(ThreadState::Finished), 1u * 5);
}

TEST(ThreadCensus, tells_how_long_a_warp_had_the_splits_that_it_has_no_more) {
  Census at;
  DivergenceDomain& domain = at.blocks.block(0).domain();
  const Path paths[] = {{2, ActiveMask(0b0001)}, {1, ActiveMask(0b1110)}};
  domain.advance(domain.runnable(0).front(), paths, 3);
  at.buffers.set_clock(17);
  at.census.count_splits(0, 1);
  EXPECT_EQ(at.splits.cycles, 7u);
  EXPECT_EQ(at.splits.of_splits, std::vector<unsigned>{4});
  at.buffers.set_clock(19);
  at.census.count_splits(0, 0);
  EXPECT_EQ(at.splits.cycles, 9u);
  EXPECT_EQ(at.splits.of_splits, (std::vector<unsigned>{1, 3}));
}

TEST(ThreadCensus, reports_what_threads_did_and_how_much_of_their_tables_they_used) {
  Census at;
  DivergenceDomain& domain = at.blocks.block(0).domain();
  const Path paths[] = {{2, ActiveMask(0b0001)}, {1, ActiveMask(0b1110)}};
  domain.advance(domain.runnable(0).front(), paths, 3);
  at.buffers.set_clock(13);
  at.census.report();
  EXPECT_EQ(at.splits.finished, at.census.thread_cycles());
  EXPECT_EQ(at.splits.most_splits, 2u);
}

}  // namespace thread_census_test
}  // namespace warpfork::gpu
