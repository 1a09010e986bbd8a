#include "divergence/multi_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "one_warp.h"

namespace warpfork {
namespace multi_path_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(MultiPath, both_sides_of_a_branch_may_issue_in_the_order_given) {
  OneWarp warp("multi-path");
  EXPECT_EQ(warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30), WarpSet::single(0));
  EXPECT_THAT(warp.masks(), ElementsAre(0b0011u, 0b1100u));
}

TEST(MultiPath, sides_meet_whichever_comes_first) {
  OneWarp warp("multi-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b1100, {path(30, 0b1100)});
  EXPECT_THAT(warp.masks(), ElementsAre(0b0011u));
  warp.advance(0b0011, {path(30, 0b0011)});
  EXPECT_EQ(warp.pc(0b1111), 30u);
}

TEST(MultiPath, side_that_starts_at_the_reconvergence_point_has_arrived_at_once) {
  OneWarp warp("multi-path");
  warp.advance(0b1111, {path(30, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_THAT(warp.masks(), ElementsAre(0b1100u));
  warp.advance(0b1100, {path(30, 0b1100)});
  EXPECT_EQ(warp.pc(0b1111), 30u);
}

TEST(MultiPath, sides_of_a_branch_without_a_reconvergence_point_keep_that_of_their_path) {
  OneWarp warp("multi-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b0011, {path(12, 0b0001), path(14, 0b0010)}, kNoPc);
  EXPECT_EQ(warp.reconvergence(0b0001), 30u);
}

TEST(MultiPath, branch_of_a_loop_keeps_the_split_and_adds_no_entry) {
  OneWarp warp("multi-path");
  warp.advance(0b1111, {path(0, 0b1110), path(5, 0b0001)}, 5);
  const SplitId looping = warp.id(0b1110);
  for (int turn = 0; turn < 10000; ++turn) warp.advance(0b1110, {path(0, 0b1110)}, 5);
  warp.advance(0b1110, {path(0, 0b1100), path(5, 0b0010)}, 5);
  EXPECT_EQ(warp.id(0b1100), looping);
  EXPECT_EQ(warp.domain().describe(0),
            "ST       pc   rpc  lanes\n"
            "          0     5  1100\n"
            "RT       pc   rpc  lanes  pending\n"
            "          5     -  1111   1100\n");
}

TEST(MultiPath, lanes_that_exit_at_a_branch_are_not_expected_where_it_meets) {
  OneWarp warp("multi-path");
  warp.advance(0b1111, {path(10, 0b0001), path(20, 0b0010)}, 30);
  warp.advance(0b0001, {path(30, 0b0001)});
  warp.advance(0b0010, {path(30, 0b0010)});
  EXPECT_THAT(warp.masks(), ElementsAre(0b0011u));
}

TEST(MultiPath, split_that_loses_some_lanes_to_an_exit_keeps_its_id) {
  OneWarp warp("multi-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  const SplitId before = warp.id(0b1100);
  warp.advance(0b0011, {path(30, 0b0011)});
  warp.advance(0b1100, {path(21, 0b1000)}, 30);
  EXPECT_EQ(warp.id(0b1000), before);
}

TEST(MultiPath, exit_of_the_last_pending_lanes_lets_the_waiting_ones_go) {
  OneWarp warp("multi-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b0011, {path(30, 0b0011)});
  warp.advance(0b1100, {});
  EXPECT_EQ(warp.pc(0b0011), 30u);
}

TEST(MultiPath, entry_whose_lanes_have_all_exited_does_not_hold_up_the_one_around_it) {
  OneWarp warp("multi-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b1100, {path(22, 0b0100), path(24, 0b1000)}, 26);
  warp.advance(0b0011, {path(30, 0b0011)});
  warp.advance(0b0100, {});
  EXPECT_THAT(warp.masks(), ElementsAre(0b1000u));
  warp.advance(0b1000, {});
  EXPECT_EQ(warp.pc(0b0011), 30u);
  EXPECT_EQ(warp.domain().live(0).bits(), 0b0011u);
}

TEST(MultiPath, split_waits_at_a_barrier_alone) {
  OneWarp warp("multi-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  const SplitId waiting = warp.id(0b0011);
  warp.wait(waiting);
  EXPECT_THAT(warp.masks(), ElementsAre(0b1100u));
  warp.release(waiting);
  EXPECT_THAT(warp.masks(), ElementsAre(0b1100u, 0b0011u));
  EXPECT_EQ(warp.id(0b0011), waiting);
}

// MULTIPATH section 3.3.3: if (c) { barrier } else { barrier }. Lane 0 and lane 1 meet at it from different paths.
TEST(MultiPath, threads_of_one_warp_meet_at_a_barrier_where_a_stack_deadlocks) {
  for (const char* mechanism : {"pdom", "multi-path", "multi-path-or"}) {
    OneWarp warp(mechanism, 0b11);
    warp.advance(0b11, {path(10, 0b01), path(20, 0b10)}, 30);
    unsigned arrived = 0;
    while (!warp.masks().empty()) {
      const SplitId id = warp.domain().runnable(0).front();
      arrived += warp.domain().split(id).lanes.count();
      warp.wait(id);
    }
    EXPECT_EQ(arrived, mechanism == std::string("pdom") ? 1u : 2u) << mechanism;
  }
}

TEST(MultiPath, at_most_max_splits_may_issue_and_the_next_one_follows_when_one_arrives) {
  OneWarp warp("multi-path", 0b1111, {.max_splits = 2});
  warp.advance(0b1111, {path(10, 0b0001), path(20, 0b0010), path(25, 0b1100)}, 30);
  EXPECT_THAT(warp.masks(), ElementsAre(0b0001u, 0b0010u));
  warp.advance(0b0001, {path(30, 0b0001)});
  EXPECT_THAT(warp.masks(), ElementsAre(0b0010u, 0b1100u));
}

TEST(MultiPath, second_side_of_a_nested_branch_queues_behind_the_splits_that_issue) {
  OneWarp warp("multi-path", 0b1111, {.max_splits = 2});
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b0011, {path(12, 0b0001), path(14, 0b0010)}, 16);
  EXPECT_THAT(warp.masks(), ElementsAre(0b0001u, 0b1100u));
}

TEST(MultiPath, split_that_waits_at_a_barrier_does_not_count_against_max_splits) {
  OneWarp warp("multi-path", 0b11, {.max_splits = 1});
  warp.advance(0b11, {path(10, 0b01), path(20, 0b10)}, 30);
  warp.wait(warp.id(0b01));
  EXPECT_THAT(warp.masks(), ElementsAre(0b10u));
}

std::string moves(OneWarp& warp) {
  std::string text;
  for (const TableMove& move : warp.take_moves()) text += fmt::format("{}{} ", move.to_memory ? '-' : '+', move.index);
  return text;
}

// MULTIPATH Figure 6 with A at 0, B at 1, C at 2, D at 3, E at 4, F at 5, G at 6; by hand: entry 0 is G, 1 is F.
TEST(MultiPath, entries_for_which_there_is_no_room_go_to_memory_and_come_back_when_lanes_arrive) {
  OneWarp warp("multi-path", 0b1111, {.reconvergence_entries = 1});
  warp.advance(0b1111, {path(1, 0b0101), path(2, 0b1010)}, 6);
  EXPECT_EQ(moves(warp), "");
  warp.advance(0b1010, {path(3, 0b0010), path(4, 0b1000)}, 5);
  EXPECT_EQ(moves(warp), "-0 ");  // F takes the place of G
  warp.advance(0b0101, {path(6, 0b0101)}, 6);
  EXPECT_EQ(moves(warp), "-1 +0 ");
  warp.advance(0b1000, {path(5, 0b1000)}, 5);
  EXPECT_EQ(moves(warp), "-0 +1 ");
  warp.advance(0b0010, {path(5, 0b0010)}, 5);
  EXPECT_EQ(moves(warp), "");  // F is there, and leaves the table
  warp.advance(0b1010, {path(6, 0b1010)}, 6);
  EXPECT_EQ(moves(warp), "+0 ");
  EXPECT_EQ(warp.pc(0b1111), 6u);
}

TEST(MultiPath, a_table_with_room_for_the_nesting_moves_nothing) {
  OneWarp warp("multi-path", 0b1111, {.reconvergence_entries = 2});
  warp.advance(0b1111, {path(1, 0b0101), path(2, 0b1010)}, 6);
  warp.advance(0b1010, {path(3, 0b0010), path(4, 0b1000)}, 5);
  warp.advance(0b0101, {path(6, 0b0101)}, 6);
  EXPECT_EQ(moves(warp), "");
}

TEST(MultiPath, lanes_that_exit_bring_back_only_the_entry_that_they_complete) {
  OneWarp warp("multi-path", 0b1111, {.reconvergence_entries = 1});
  warp.advance(0b1111, {path(1, 0b0101), path(2, 0b1010)}, 6);
  warp.advance(0b1010, {path(3, 0b0010), path(4, 0b1000)}, 5);
  EXPECT_EQ(moves(warp), "-0 ");
  warp.advance(0b0101, {path(7, 0b0001)}, 6);  // lane 2 exits, lane 0 goes on: G is only noted
  EXPECT_EQ(moves(warp), "");
  warp.advance(0b0001, {});
  warp.advance(0b1000, {});
  EXPECT_EQ(moves(warp), "");
  warp.advance(0b0010, {});  // F and G are empty: nobody goes on there
  EXPECT_EQ(moves(warp), "");
  EXPECT_THAT(warp.masks(), IsEmpty());
}

TEST(MultiPath, the_entry_that_has_been_in_the_table_longest_makes_room) {
  OneWarp warp("multi-path", 0b1111, {.reconvergence_entries = 2});
  warp.advance(0b1111, {path(1, 0b1110), path(2, 0b0001)}, 30);
  warp.advance(0b1110, {path(3, 0b1100), path(4, 0b0010)}, 20);
  warp.advance(0b1100, {path(5, 0b1000), path(6, 0b0100)}, 10);
  EXPECT_EQ(moves(warp), "-0 ");  // the outermost
  warp.advance(0b0001, {path(30, 0b0001)});
  EXPECT_EQ(moves(warp), "-1 +0 ");  // 2 has come later than 1
  warp.advance(0b0010, {path(20, 0b0010)});
  EXPECT_EQ(moves(warp), "-2 +1 ");
}

TEST(MultiPath, an_entry_that_has_left_the_table_leaves_the_order_of_the_others) {
  OneWarp warp("multi-path", 0xff, {.reconvergence_entries = 2});
  warp.advance(0xff, {path(1, 0x0f), path(2, 0xf0)}, 30);
  warp.advance(0x0f, {path(3, 0x03), path(4, 0x0c)}, 10);
  warp.advance(0xf0, {path(5, 0x30), path(6, 0xc0)}, 20);
  EXPECT_EQ(moves(warp), "-0 ");
  warp.advance(0x03, {path(10, 0x03)});
  warp.advance(0x0c, {path(10, 0x0c)});                    // 1 is complete
  warp.advance(0x30, {path(7, 0x10), path(8, 0x20)}, 15);  // 1 again, later than 2
  EXPECT_EQ(moves(warp), "");
  warp.advance(0x0f, {path(30, 0x0f)});
  EXPECT_EQ(moves(warp), "-2 +0 ");
}

TEST(MultiPath, exits_that_complete_an_entry_bring_it_back_for_those_that_wait_in_it) {
  OneWarp warp("multi-path", 0b1111, {.reconvergence_entries = 1});
  warp.advance(0b1111, {path(1, 0b0101), path(2, 0b1010)}, 6);
  warp.advance(0b0101, {path(6, 0b0001), path(1, 0b0100)}, 6);  // lane 0 waits at 6, lane 2 goes on
  warp.advance(0b1010, {path(3, 0b0010), path(4, 0b1000)}, 5);
  EXPECT_EQ(moves(warp), "-0 ");
  warp.advance(0b0010, {});
  warp.advance(0b1000, {});
  EXPECT_EQ(moves(warp), "");
  warp.advance(0b0100, {});
  EXPECT_EQ(moves(warp), "+0 ");
  EXPECT_EQ(warp.pc(0b0001), 6u);
}

// MULTIPATH Figure 19 of Figure 6: three splits and two entries after step 3.
TEST(MultiPath, tells_how_many_entries_of_its_tables_it_has_used) {
  OneWarp warp("multi-path");
  EXPECT_EQ(warp.domain().table_use().splits, 1u);
  EXPECT_EQ(warp.domain().table_use().reconvergence, 0u);
  warp.advance(0b1111, {path(1, 0b0101), path(2, 0b1010)}, 6);
  warp.advance(0b1010, {path(3, 0b0010), path(4, 0b1000)}, 5);
  warp.advance(0b0101, {path(6, 0b0101)}, 6);
  EXPECT_EQ(warp.domain().table_use().splits, 3u);
  EXPECT_EQ(warp.domain().table_use().reconvergence, 2u);
}

TEST(MultiPath, shows_which_entries_are_in_memory) {
  OneWarp warp("multi-path", 0b1111, {.reconvergence_entries = 1});
  warp.advance(0b1111, {path(1, 0b0101), path(2, 0b1010)}, 6);
  warp.advance(0b1010, {path(3, 0b0010), path(4, 0b1000)}, 5);
  EXPECT_THAT(warp.domain().describe(0), ::testing::HasSubstr("          6     -  1111   1111  in memory\n"
                                                              "          5     6  1010   1010\n"));
}

TEST(MultiPath, prints_both_tables_and_who_waits_or_queues) {
  OneWarp warp("multi-path", 0b1111, {.max_splits = 1});
  warp.advance(0b1111, {path(10, 0b0001), path(20, 0b0010), path(25, 0b1100)}, 30);
  warp.wait(warp.id(0b0001));
  EXPECT_EQ(warp.domain().describe(0),
            "ST       pc   rpc  lanes\n"
            "         10    30  0001  waits\n"
            "         20    30  0010\n"
            "         25    30  1100  queued\n"
            "RT       pc   rpc  lanes  pending\n"
            "         30     -  1111   1111\n");
}

TEST(MultiPath, thirty_two_lanes_may_part_one_by_one) {
  OneWarp warp("multi-path", ~0u);
  for (unsigned lane = 0; lane < 31; ++lane) {
    const std::uint32_t rest = ~0u << lane;
    warp.advance(rest, {path(2 * lane + 1, rest << 1), path(100 + lane, 1u << lane)}, 1000 - lane);
  }
  EXPECT_EQ(warp.masks().size(), 32u);
  for (unsigned lane = 31; lane-- > 0;) {
    const std::uint32_t rest = ~0u << lane;
    warp.advance(1u << lane, {path(1000 - lane, 1u << lane)});
    warp.advance(rest << 1, {path(1000 - lane, rest << 1)});
  }
  EXPECT_EQ(warp.pc(~0u), 1000u);
}

TEST(MultiPath, warp_without_lanes_has_nothing_to_run) { EXPECT_THAT(OneWarp("multi-path", 0).masks(), IsEmpty()); }

}  // namespace multi_path_test
}  // namespace warpfork
