// Turns of loops that only wait are left out, and nothing else is.
#include "ooo/spin_loop_filter.h"

#include <gtest/gtest.h>

#include "unit/ooo/spmd_program.h"

namespace warpfork::ooo {
namespace spin_loop_filter_test {

using Steps = std::vector<SpmdProgram::Step>;

/// Pcs of what is left, and how much was left out.
struct Left {
  std::vector<std::uint64_t> pcs;
  std::uint64_t left_out = 0;
};

Left filter(Steps steps) {
  SpinLoopFilter stream(std::make_unique<SteppedStream>(std::move(steps)));
  Left left;
  for (x86::DynamicInstruction next; stream.next(next);) left.pcs.push_back(next.instruction->pc);
  left.left_out = stream.left_out();
  return left;
}

/// A loop of the instructions that `body` adds and a branch back; then the end.
class Loop {
 public:
  template <class Body>
  explicit Loop(const Body& body) {
    body(program_);
    program_.branch({}).target = SpmdProgram::kBase;
    size_ = program_.size();
    program_.end();
  }

  std::size_t size() const { return size_; }  // of a turn
  Steps run(unsigned turns) const {
    std::vector<std::uint64_t> pcs;
    for (unsigned turn = 0; turn < turns; ++turn)
      for (std::size_t i = 0; i < size_; ++i) pcs.push_back(SpmdProgram::kBase + 4 * i);
    pcs.push_back(SpmdProgram::kBase + 4 * size_);
    return program_.follow(pcs);
  }

 private:
  SpmdProgram program_;
  std::size_t size_ = 0;
};

constexpr unsigned kTurns = 10;

void expect_nothing_left_out(const Loop& loop) {
  const Left left = filter(loop.run(kTurns));
  EXPECT_EQ(left.left_out, 0u);
  EXPECT_EQ(left.pcs.size(), kTurns * loop.size() + 1);
}

void read_flag(SpmdProgram& program) {
  program.load(0, 1);
  program.alu(0, 2);  // what is compared has been loaded in the same turn
}

// The first turn is over when the branch back is seen for the first time, the second is looked at, the last leaves.
TEST(SpinLoopFilter, leaves_out_turns_that_only_wait) {
  const Loop loop(read_flag);
  const Left left = filter(loop.run(kTurns));
  EXPECT_EQ(left.left_out, (kTurns - 3) * loop.size());
  ASSERT_EQ(left.pcs.size(), 3 * loop.size() + 1);
  for (std::size_t i = 0; i < 3 * loop.size(); ++i) EXPECT_EQ(left.pcs[i], SpmdProgram::kBase + 4 * (i % loop.size()));
}

// A region's function that is called again and again: what calls it is not in the recording.
TEST(SpinLoopFilter, does_not_take_what_lies_around_a_gap_for_a_loop) {
  const Loop loop(read_flag);
  Steps steps = loop.run(kTurns);
  for (std::size_t turn = 1; turn <= kTurns; ++turn) steps[turn * loop.size() - 1].before_gap = true;
  const Left left = filter(steps);
  EXPECT_EQ(left.left_out, 0u);
  EXPECT_EQ(left.pcs.size(), steps.size());
}

// Of turns 0 to 5 the last goes over the gap: 2, 3 and 4 are left out; of 6 to 9 it is 8.
TEST(SpinLoopFilter, leaves_out_turns_up_to_a_gap_and_behind_it) {
  const Loop loop(read_flag);
  Steps steps = loop.run(kTurns);
  steps[6 * loop.size() - 1].before_gap = true;
  EXPECT_EQ(filter(steps).left_out, 4 * loop.size());
}

TEST(SpinLoopFilter, leaves_out_attempts_to_take_a_lock) {
  const Loop loop([](SpmdProgram& program) {
    program.load(0, 1);
    program.store(2, 1).atomic = true;
  });
  EXPECT_EQ(filter(loop.run(kTurns)).left_out, (kTurns - 3) * loop.size());
}

TEST(SpinLoopFilter, keeps_a_loop_that_counts) {
  expect_nothing_left_out(Loop([](SpmdProgram& program) {
    read_flag(program);
    program.alu(3, 3);
  }));
}

TEST(SpinLoopFilter, keeps_a_loop_that_writes) {
  expect_nothing_left_out(Loop([](SpmdProgram& program) {
    read_flag(program);
    program.store(2, 1);
  }));
}

TEST(SpinLoopFilter, keeps_a_loop_without_memory) {
  expect_nothing_left_out(Loop([](SpmdProgram& program) { program.vector(x86::UopWidth::Scalar); }));
}

TEST(SpinLoopFilter, keeps_a_loop_that_asks_the_system) {
  expect_nothing_left_out(Loop([](SpmdProgram& program) {
    read_flag(program);
    program.load(3, 1).system_call = true;
  }));
}

TEST(SpinLoopFilter, keeps_a_long_loop) {
  expect_nothing_left_out(Loop([](SpmdProgram& program) {
    for (unsigned i = 0; i < 32; ++i) program.load(0, 1);
  }));
}

TEST(SpinLoopFilter, keeps_turns_that_read_elsewhere) {
  const Loop loop(read_flag);
  Steps steps = loop.run(kTurns);
  for (unsigned turn = 0; turn < kTurns; ++turn) steps[turn * loop.size()].addresses[0] += 8 * turn;
  EXPECT_EQ(filter(std::move(steps)).left_out, 0u);
}

TEST(SpinLoopFilter, keeps_a_turn_with_an_event) {
  const Loop loop(read_flag);
  Steps steps = loop.run(kTurns);
  steps[5 * loop.size() + 1].events.push_back({x86::SyncKind::Barrier, false, 1, 1});
  SpinLoopFilter stream(std::make_unique<SteppedStream>(steps));
  std::size_t events = 0;
  for (x86::DynamicInstruction next; stream.next(next);) events += next.events.size();
  EXPECT_EQ(events, 1u);
  // Of ten turns the sixth has the event. It stays, and as around it, two before it, the one behind it, and the last.
  EXPECT_EQ(stream.left_out(), (10 - 5) * loop.size());
}

// What a thread does when it has waited is no turn of the loop, however long it is.
TEST(SpinLoopFilter, leaves_out_turns_whenever_the_thread_waits_again) {
  SpmdProgram program;
  program.alu(3, 3);
  const std::uint64_t waits = program.here();
  read_flag(program);
  program.branch({}).target = waits;
  for (unsigned i = 0; i < 40; ++i) program.store(2, 1);
  program.branch({}).target = SpmdProgram::kBase;
  program.end();
  std::vector<std::uint64_t> pcs;
  const auto go = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) pcs.push_back(SpmdProgram::kBase + 4 * i);
  };
  for (unsigned wait = 0; wait < 2; ++wait) {
    go(0, 1);
    for (unsigned turn = 0; turn < kTurns; ++turn) go(1, 4);
    go(4, 45);
  }
  go(45, 46);
  EXPECT_EQ(filter(program.follow(pcs)).left_out, 2 * (kTurns - 3) * 3);
}

TEST(SpinLoopFilter, ends_within_a_turn) {
  const Loop loop(read_flag);
  Steps steps = loop.run(kTurns);
  steps.resize(5 * loop.size() + 1);
  const Left left = filter(std::move(steps));
  EXPECT_EQ(left.left_out, 3 * loop.size());
  EXPECT_EQ(left.pcs.size(), 2 * loop.size() + 1);
}

}  // namespace spin_loop_filter_test
}  // namespace warpfork::ooo
