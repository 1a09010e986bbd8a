#include "explain/lane_passages.h"

#include <gtest/gtest.h>

namespace warpfork::explain {
namespace lane_passages_test {

std::string cycles(std::initializer_list<Cycle> times) {
  LaneCycles cycles;
  for (const Cycle now : times) cycles.add(3, now);
  return cycles.cycles();
}

TEST(LaneCycles, are_told_as_ranges_with_gaps_where_the_lane_stalled) {
  EXPECT_EQ(cycles({12}), "12");
  EXPECT_EQ(cycles({12, 13, 14, 16, 17}), "12-14, 16-17");
  EXPECT_EQ(cycles({12, 14, 15}), "12, 14-15");
}

TEST(LaneCycles, have_a_stride_from_three_threads_on) {
  EXPECT_EQ(cycles({12, 16}), "12, 16");
  EXPECT_EQ(cycles({12, 16, 20}), "12-20 by 4");
  EXPECT_EQ(cycles({12, 16, 20, 24, 29}), "12-24 by 4, 29");
}

TEST(LaneCycles, of_more_than_three_ranges_are_the_first_and_the_last) {
  EXPECT_EQ(cycles({12, 13, 15, 16, 18, 19}), "12-13, 15-16, 18-19");
  EXPECT_EQ(cycles({12, 13, 15, 16, 18, 19, 21, 22}), "12-13, …, 21-22");
}

TEST(LaneCycles, know_all_lanes_that_took_part) {
  LaneCycles cycles;
  for (const unsigned lane : {5u, 0u, 5u}) cycles.add(lane, 7);
  EXPECT_EQ(cycles.lanes(), "0,5");
  EXPECT_EQ(cycles.cycles(), "7");
}

gpu::InFlight record_of(const simt::Instruction& instruction, unsigned lanes, unsigned executed) {
  gpu::InFlight record;
  record.instruction = &instruction;
  record.lanes = ActiveMask(lanes);
  record.executed = ActiveMask(executed);
  return record;
}

TEST(LanePassages, go_to_the_line_of_an_instruction_after_others_have_issued) {
  LanePassages passages;
  const simt::Instruction first{}, second{};
  const gpu::InFlight a = record_of(first, 3, 3), b = record_of(second, 3, 3);
  passages.issued(first, ActiveMask(3), 0);
  passages.entered(a, 2, ActiveMask(1), 5);
  passages.issued(second, ActiveMask(3), 1);
  passages.entered(a, 2, ActiveMask(2), 6);
  passages.entered(b, 2, ActiveMask(1), 7);
  EXPECT_EQ(passages.of(0).cycles(), "5-6");
  EXPECT_EQ(passages.of(1).cycles(), "7");
  EXPECT_EQ(passages.of(2).cycles(), "");
}

// The next turn of a loop: the oldest of which threads are missing comes first.
TEST(LanePassages, tell_turns_of_a_loop_apart) {
  LanePassages passages;
  const simt::Instruction again{};
  const gpu::InFlight one = record_of(again, 3, 3), other = record_of(again, 3, 3);
  passages.issued(again, ActiveMask(3), 0);
  passages.issued(again, ActiveMask(3), 1);
  passages.entered(one, 0, ActiveMask(1), 5);
  passages.entered(other, 1, ActiveMask(1), 6);  // in another lane
  passages.entered(one, 0, ActiveMask(2), 8);
  passages.entered(other, 1, ActiveMask(2), 9);
  EXPECT_EQ(passages.of(0).cycles(), "5, 8");
  EXPECT_EQ(passages.of(1).cycles(), "6, 9");
}

TEST(LanePassages, of_no_thread_at_all_take_a_cycle) {
  LanePassages passages;
  const simt::Instruction off{};
  const gpu::InFlight record = record_of(off, 3, 0);
  passages.issued(off, ActiveMask(3), 0);
  passages.issued(off, ActiveMask(3), 1);
  passages.entered(record, 0, ActiveMask(), 5);
  passages.entered(record, 0, ActiveMask(), 6);
  EXPECT_EQ(passages.of(0).cycles(), "5");
  EXPECT_EQ(passages.of(1).cycles(), "6");
}

TEST(LanePassages, of_what_is_not_printed_are_kept_on_no_other_line) {
  LanePassages passages;
  const simt::Instruction add{};
  const gpu::InFlight hidden = record_of(add, 1, 1), shown = record_of(add, 1, 1), foreign = record_of(add, 2, 2);
  passages.issued(add, ActiveMask(1), LanePassages::kNoLine);
  passages.issued(add, ActiveMask(1), 0);
  passages.entered(foreign, 0, ActiveMask(2), 4);
  passages.entered(hidden, 0, ActiveMask(1), 5);
  passages.entered(shown, 0, ActiveMask(1), 6);
  EXPECT_EQ(passages.of(0).cycles(), "6");
}

}  // namespace lane_passages_test
}  // namespace warpfork::explain
