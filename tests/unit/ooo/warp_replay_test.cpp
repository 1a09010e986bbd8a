// The recorded threads of a warp: fetched, taken back, committed, and held up by events.
#include "ooo/warp_replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/ooo/driven_front.h"

namespace warpfork::ooo {
namespace warp_replay_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Lanes 0 and 2 have a thread that executes 1000, 1004 and 1008, the first of which comes behind an event.
struct ReplayedWarp {
  std::vector<ThreadWindow> record() {
    for (unsigned i = 0; i < 3; ++i) program.alu(0, 1);
    std::vector<ThreadWindow> threads;
    for (const unsigned lane : {0, 1, 2}) {
      std::vector<SpmdProgram::Step> steps = lane == 1 ? program.follow({}) : program.follow({0x1000, 0x1004, 0x1008});
      if (lane != 1) steps[0].events.emplace_back();
      threads.emplace_back(std::make_unique<SteppedStream>(steps));
    }
    return threads;
  }

  Gate gate;
  SpmdProgram program;
  std::vector<ThreadWindow> threads = record();
  WarpReplay replay{threads, 4, gate};
};

TEST(WarpReplay, runs_the_lanes_that_have_instructions) {
  ReplayedWarp warp;
  EXPECT_EQ(warp.replay.lanes(), 3u);
  EXPECT_EQ(warp.replay.running(), 0b101u);
}

TEST(WarpReplay, fetches_ahead_and_goes_back) {
  ReplayedWarp warp;
  warp.replay.fetch(0b101);
  warp.replay.fetch(0b100);
  EXPECT_EQ(warp.replay.next(0)->instruction->pc, 0x1004u);
  EXPECT_EQ(warp.replay.next(2)->instruction->pc, 0x1008u);
  EXPECT_EQ(warp.replay.target(2), 0x1008u);
  warp.replay.undo_fetch(0b100);
  EXPECT_EQ(warp.replay.next(2)->instruction->pc, 0x1004u);
}

TEST(WarpReplay, has_nothing_behind_a_thread_s_last_instruction) {
  ReplayedWarp warp;
  for (int i = 0; i < 3; ++i) warp.replay.fetch(0b1);
  EXPECT_EQ(warp.replay.next(0), nullptr);
  EXPECT_EQ(warp.replay.target(0), 0u);
  ExecutedByLane instructions;
  EXPECT_THROW(warp.replay.next(0b1, instructions), InvariantError);
}

TEST(WarpReplay, passes_an_event_when_the_others_let_it) {
  ReplayedWarp warp;
  ExecutedByLane instructions;
  EXPECT_TRUE(warp.replay.next(0b101, instructions));
  warp.gate.open(6);  // lane 2
  EXPECT_EQ(warp.replay.pass_events(0b101), 0b100u);
  EXPECT_EQ(warp.replay.events(), 1u);
  EXPECT_FALSE(warp.replay.next(0b100, instructions));
  EXPECT_EQ(warp.replay.pass_events(0b100), 0b100u);
  EXPECT_EQ(warp.replay.events(), 1u);
}

TEST(WarpReplay, commits_in_the_recorded_order) {
  ReplayedWarp warp;
  warp.replay.fetch(0b1);
  const x86::StaticInstruction& first = *warp.replay.oldest(0).instruction;
  warp.replay.commit(0b1, first);
  EXPECT_EQ(warp.replay.oldest(0).instruction->pc, 0x1004u);
  EXPECT_THROW(warp.replay.commit(0b1, first), InvariantError);
}

TEST(WarpReplay, tells_which_threads_have_ended) {
  ReplayedWarp warp;
  warp.replay.end(0b100);
  EXPECT_EQ(warp.replay.running(), 0b1u);
  EXPECT_THAT(warp.gate.ended_threads(), ElementsAre(6));
  EXPECT_THAT(warp.replay.describe(), HasSubstr("thread 4: 0 instructions done, next at 1000, before it "));
  EXPECT_THAT(warp.replay.describe(), Not(HasSubstr("thread 6")));
}

}  // namespace warp_replay_test
}  // namespace warpfork::ooo
