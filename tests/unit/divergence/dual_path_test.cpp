#include "divergence/dual_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "contract/driver.h"
#include "contract/program_generator.h"
#include "one_warp.h"

namespace warpfork {
namespace dual_path_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(DualPath, both_sides_of_a_branch_may_issue_in_the_order_given) {
  OneWarp warp("dual-path");
  EXPECT_EQ(warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30), WarpSet::single(0));
  EXPECT_THAT(warp.masks(), ElementsAre(0b0011u, 0b1100u));
}

TEST(DualPath, sides_meet_whichever_comes_first) {
  OneWarp warp("dual-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b1100, {path(30, 0b1100)});
  EXPECT_THAT(warp.masks(), ElementsAre(0b0011u));
  warp.advance(0b0011, {path(30, 0b0011)});
  EXPECT_EQ(warp.pc(0b1111), 30u);
  EXPECT_EQ(warp.reconvergence(0b1111), kNoPc);
}

TEST(DualPath, sides_of_a_nested_branch_suspend_the_path_beside_it_until_one_arrives) {
  OneWarp warp("dual-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.step(0b0011);
  const SplitId beside = warp.id(0b0011);
  warp.advance(0b1100, {path(22, 0b0100), path(24, 0b1000)}, 26);
  EXPECT_THAT(warp.masks(), ElementsAre(0b0100u, 0b1000u));
  warp.advance(0b0100, {path(26, 0b0100)});
  EXPECT_THAT(warp.masks(), ElementsAre(0b1000u, 0b0011u));
  EXPECT_EQ(warp.id(0b0011), beside);
  EXPECT_EQ(warp.pc(0b0011), 11u);
}

TEST(DualPath, one_sided_nested_branch_does_not_suspend_the_path_beside_it) {
  OneWarp warp("dual-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b1100, {path(22, 0b0100), path(26, 0b1000)}, 26);
  EXPECT_THAT(warp.masks(), ElementsAre(0b0100u, 0b0011u));
}

TEST(DualPath, forwarded_path_that_diverges_suspends_the_top) {
  OneWarp warp("dual-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b1100, {path(22, 0b0100), path(26, 0b1000)}, 26);
  warp.advance(0b0011, {path(12, 0b0001), path(14, 0b0010)}, 16);
  EXPECT_THAT(warp.masks(), ElementsAre(0b0001u, 0b0010u));
  warp.advance(0b0001, {path(16, 0b0001)});
  EXPECT_THAT(warp.masks(), ElementsAre(0b0010u, 0b0100u));
}

// 0100 is the last of its entry and arrives while the entry of 0010 lies above: what diverged into it goes on at once.
TEST(DualPath, entry_below_the_top_is_popped_when_its_forwarded_path_arrives) {
  OneWarp warp("dual-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b1100, {path(22, 0b0100), path(26, 0b1000)}, 26);
  warp.advance(0b0011, {path(12, 0b0010), path(16, 0b0001)}, 16);
  warp.advance(0b0100, {path(26, 0b0100)});
  EXPECT_THAT(warp.masks(), ElementsAre(0b0010u, 0b1100u));
  EXPECT_EQ(warp.pc(0b1100), 26u);
}

TEST(DualPath, branch_of_a_loop_keeps_the_split_and_pushes_nothing) {
  OneWarp warp("dual-path");
  warp.advance(0b1111, {path(0, 0b1110), path(5, 0b0001)}, 5);
  const SplitId looping = warp.id(0b1110);
  warp.advance(0b1110, {path(0, 0b1100), path(5, 0b0010)}, 5);
  EXPECT_EQ(warp.id(0b1100), looping);
  EXPECT_EQ(warp.domain().describe(0),
            "stack    pc   rpc  lanes\n"
            "          5     -  1111  0 left   diverged\n"
            "          0     5  1100  1 left   runs\n");
}

TEST(DualPath, sides_that_meet_where_their_path_would_take_the_place_of_its_entry) {
  OneWarp warp("dual-path");
  warp.advance(0b1111, {path(10, 0b1110), path(30, 0b0001)}, 30);
  warp.advance(0b1110, {path(12, 0b0110), path(14, 0b1000)}, 30);
  EXPECT_EQ(warp.domain().describe(0),
            "stack    pc   rpc  lanes\n"
            "         30     -  1111  0 left   diverged\n"
            "         12    30  0110  1 left   runs\n"
            "         14    30  1000  1 right  runs\n");
}

TEST(DualPath, sides_that_meet_where_their_path_would_leave_their_entry_to_the_path_beside_them) {
  OneWarp warp("dual-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b1100, {path(22, 0b0100), path(24, 0b1000)}, 30);
  EXPECT_EQ(warp.domain().describe(0),
            "stack    pc   rpc  lanes\n"
            "         30     -  1111  0 left   diverged\n"
            "         10    30  0011  1 left   suspended\n"
            "         22    30  0100  2 left   runs\n"
            "         24    30  1000  2 right  runs\n");
}

TEST(DualPath, sides_of_a_branch_without_a_reconvergence_point_keep_that_of_their_path) {
  OneWarp warp("dual-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b1100, {path(22, 0b0100), path(24, 0b1000)}, kNoPc);
  EXPECT_EQ(warp.reconvergence(0b0100), 30u);
}

TEST(DualPath, third_target_of_a_branch_follows_when_a_place_is_free) {
  OneWarp warp("dual-path");
  warp.advance(0b1111, {path(10, 0b0001), path(20, 0b0010), path(25, 0b1100)}, 30);
  EXPECT_THAT(warp.masks(), ElementsAre(0b0001u, 0b0010u));
  warp.advance(0b0001, {path(30, 0b0001)});
  EXPECT_THAT(warp.masks(), ElementsAre(0b0010u, 0b1100u));
  EXPECT_EQ(warp.pc(0b1100), 25u);
}

TEST(DualPath, lanes_that_exit_are_gone_from_every_entry) {
  OneWarp warp("dual-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b0011, {path(12, 0b0001)});
  EXPECT_EQ(warp.domain().live(0).bits(), 0b1101u);
  warp.advance(0b0001, {path(30, 0b0001)});
  warp.advance(0b1100, {path(30, 0b1100)});
  EXPECT_THAT(warp.masks(), ElementsAre(0b1101u));
}

TEST(DualPath, split_that_loses_some_lanes_to_an_exit_keeps_its_id) {
  OneWarp warp("dual-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  const SplitId before = warp.id(0b1100);
  warp.advance(0b0011, {path(30, 0b0011)});
  warp.advance(0b1100, {path(21, 0b1000)});
  EXPECT_EQ(warp.id(0b1000), before);
}

TEST(DualPath, lanes_that_exit_at_a_branch_are_not_expected_where_it_meets) {
  OneWarp warp("dual-path");
  warp.advance(0b1111, {path(10, 0b0001), path(20, 0b0010)}, 30);
  warp.advance(0b0001, {path(30, 0b0001)});
  warp.advance(0b0010, {path(30, 0b0010)});
  EXPECT_THAT(warp.masks(), ElementsAre(0b0011u));
}

TEST(DualPath, exit_of_the_last_path_lets_those_that_have_arrived_go) {
  OneWarp warp("dual-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b0011, {path(30, 0b0011)});
  warp.advance(0b1100, {});
  EXPECT_EQ(warp.pc(0b0011), 30u);
  warp.advance(0b0011, {});
  EXPECT_THAT(warp.masks(), IsEmpty());
}

// MULTIPATH section 7: "the same limitations related to interaction with barriers as the SPS model".
TEST(DualPath, warp_waits_at_a_barrier_as_a_whole) {
  OneWarp warp("dual-path");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  const SplitId waiting = warp.id(0b1100), beside = warp.id(0b0011);
  EXPECT_EQ(warp.wait(waiting), WarpSet::single(0));
  EXPECT_THAT(warp.masks(), IsEmpty());
  EXPECT_EQ(warp.domain().describe(0),
            "stack    pc   rpc  lanes\n"
            "         30     -  1111  0 left   diverged\n"
            "         10    30  0011  1 left   suspended\n"
            "         20    30  1100  1 right  waits\n");
  EXPECT_EQ(warp.release(waiting), WarpSet::single(0));
  EXPECT_EQ(warp.id(0b1100), waiting);
  EXPECT_EQ(warp.id(0b0011), beside);
}

TEST(DualPath, max_splits_of_one_leaves_a_single_path) {
  OneWarp warp("dual-path", 0b1111, {.max_splits = 1});
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_THAT(warp.masks(), ElementsAre(0b0011u));
  EXPECT_THAT(OneWarp("dual-path", 0b1111, {.max_splits = 3}).masks(), ElementsAre(0b1111u));
}

TEST(DualPath, thirty_two_lanes_may_part_one_by_one) {
  OneWarp warp("dual-path", ~0u);
  for (unsigned lane = 0; lane < 31; ++lane) {
    const std::uint32_t rest = ~0u << lane;
    warp.advance(rest, {path(2 * lane + 1, rest << 1), path(100 + lane, 1u << lane)}, 1000 - lane);
    EXPECT_EQ(warp.masks().size(), 2u);
  }
  for (unsigned lane = 31; lane-- > 0;) {
    const std::uint32_t rest = ~0u << lane;
    warp.advance(1u << lane, {path(1000 - lane, 1u << lane)});
    warp.advance(rest << 1, {path(1000 - lane, rest << 1)});
  }
  EXPECT_EQ(warp.pc(~0u), 1000u);
}

TEST(DualPath, warp_without_lanes_has_nothing_to_run) { EXPECT_THAT(OneWarp("dual-path", 0).masks(), IsEmpty()); }

// MULTIPATH section 6.1: one path, two and many form the same splits, since all reconverge at the postdominator.
TEST(DualPath, issues_what_pdom_issues_on_random_programs) {
  std::mt19937 random(1);
  for (unsigned program_seed = 0; program_seed < 2000; ++program_seed) {
    std::vector<std::uint8_t> tape(random() % 60);
    for (std::uint8_t& value : tape) value = static_cast<std::uint8_t>(random());
    const auto shape = std::array{contract::Shape::Structured, contract::Shape::EarlyExits,
                                  contract::Shape::Unstructured}[program_seed % 3];
    const contract::FlowProgram program = make_program(shape, contract::ReconvergenceRule::Postdominator, tape);
    const auto issued = [&](std::string_view mechanism) {
      const DivergenceMechanism& entry = find_divergence_mechanism(mechanism);
      const auto domain = entry.make({});
      return contract::Driver(program, *domain, {ActiveMask(0xffff), ActiveMask(~0u)}, program_seed, 2, entry).run();
    };
    ASSERT_EQ(issued("dual-path"), issued("pdom")) << program.to_string();
  }
}

}  // namespace dual_path_test
}  // namespace warpfork
