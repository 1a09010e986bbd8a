#include "divergence/warp_subdivision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "one_warp.h"

namespace warpfork {
namespace warp_subdivision_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(WarpSubdivision, both_sides_of_a_branch_may_issue_in_the_order_given) {
  OneWarp warp("warp-subdivision");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  EXPECT_THAT(warp.masks(), ElementsAre(0b0011u, 0b1100u));
}

TEST(WarpSubdivision, sides_meet_whichever_comes_first) {
  OneWarp warp("warp-subdivision");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b1100, {path(30, 0b1100)});
  EXPECT_THAT(warp.masks(), ElementsAre(0b0011u));
  warp.advance(0b0011, {path(30, 0b0011)});
  EXPECT_EQ(warp.pc(0b1111), 30u);
  EXPECT_EQ(warp.reconvergence(0b1111), kNoPc);
}

TEST(WarpSubdivision, sides_of_a_nested_branch_meet_only_where_the_subdividing_one_ends) {
  OneWarp warp("warp-subdivision");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  warp.advance(0b1100, {path(22, 0b0100), path(26, 0b1000)}, 26);
  EXPECT_THAT(warp.masks(), ElementsAre(0b0011u, 0b0100u, 0b1000u));
  warp.advance(0b0100, {path(26, 0b0100)}, 26);
  EXPECT_EQ(warp.pc(0b1000), 26u);
  EXPECT_EQ(warp.pc(0b0100), 26u) << "apart, though both are there";
  for (const std::uint32_t lanes : {0b0100u, 0b1000u, 0b0011u}) warp.advance(lanes, {path(30, lanes)});
  EXPECT_EQ(warp.pc(0b1111), 30u);
}

TEST(WarpSubdivision, lanes_that_exit_are_not_waited_for) {
  OneWarp warp("warp-subdivision");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b0100)}, 30);
  EXPECT_EQ(warp.domain().live(0), ActiveMask(0b0111));
  warp.advance(0b0011, {path(12, 0b0010)});
  EXPECT_EQ(warp.domain().live(0), ActiveMask(0b0110));
  warp.advance(0b0100, {path(30, 0b0100)});
  warp.advance(0b0010, {});
  EXPECT_EQ(warp.pc(0b0100), 30u);
  EXPECT_EQ(warp.domain().live(0), ActiveMask(0b0100));
}

TEST(WarpSubdivision, a_warp_whose_lanes_all_exit_in_splits_has_ended) {
  OneWarp warp("warp-subdivision");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)});
  warp.advance(0b0011, {});
  warp.advance(0b1100, {});
  EXPECT_THAT(warp.masks(), IsEmpty());
  EXPECT_TRUE(warp.domain().finished(0));
}

TEST(WarpSubdivision, the_next_block_has_all_its_lanes) {
  OneWarp warp("warp-subdivision");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)});
  warp.advance(0b0011, {});
  warp.advance(0b1100, {});
  const ActiveMask lanes(0b1111);
  warp.domain().launch(0, {&lanes, 1});
  EXPECT_EQ(warp.domain().live(0), lanes);
}

TEST(WarpSubdivision, splits_wait_at_barriers_by_themselves) {
  OneWarp warp("warp-subdivision");
  warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
  const SplitId first = warp.id(0b0011);
  warp.wait(first);
  EXPECT_THAT(warp.masks(), ElementsAre(0b1100u));
  warp.release(first);
  EXPECT_THAT(warp.masks(), ElementsAre(0b1100u, 0b0011u));
  for (const std::uint32_t lanes : {0b1100u, 0b0011u}) warp.advance(lanes, {path(30, lanes)});
  EXPECT_THAT(warp.masks(), ElementsAre(0b1111u));
}

/// A warp in a kernel whose blocks are so long, one behind the other.
class OrderedWarp {
 public:
  OrderedWarp(std::initializer_list<unsigned> lengths, unsigned limit)
      : domain_(find_divergence_mechanism("warp-subdivision").make(limited(limit))) {
    std::uint32_t number = 0;
    for (const unsigned length : lengths) order_.insert(order_.end(), length, FrontierPlace{number++});
    domain_->begin_kernel(order_);
    const ActiveMask all(0b1111);
    domain_->launch(0, {&all, 1});
  }
  /// How many splits may issue when two lanes go to 2 and two to 4, all of which meet at 6.
  std::size_t splits_of_a_branch() {
    const std::array paths{path(2, 0b0011), path(4, 0b1100)};
    domain_->advance(domain_->runnable(0)[0], paths, 6);
    return domain_->runnable(0).size();
  }

 private:
  static DivergenceSpec limited(unsigned limit) {
    DivergenceSpec spec;
    spec.subdivide_limit = limit;
    return spec;
  }
  std::vector<FrontierPlace> order_;
  std::unique_ptr<DivergenceDomain> domain_;
};

TEST(SubdividingBranches, are_followed_by_a_block_of_at_most_so_many_instructions) {
  EXPECT_EQ(OrderedWarp({2, 2, 2, 3, 5}, 3).splits_of_a_branch(), 2u);
  EXPECT_EQ(OrderedWarp({2, 2, 2, 3}, 3).splits_of_a_branch(), 2u);
  EXPECT_EQ(OrderedWarp({2, 2, 2, 4, 5}, 3).splits_of_a_branch(), 1u);
  EXPECT_EQ(OrderedWarp({2, 2, 2, 4}, 3).splits_of_a_branch(), 1u);
  EXPECT_EQ(OrderedWarp({2, 2, 2, 400}, 0).splits_of_a_branch(), 2u) << "all do";
}

// By hand: the stack's order, and what a branch on one of its sides subdivides.
TEST(SubdividingBranches, may_be_on_a_side_of_one_that_does_not) {
  DivergenceSpec spec;
  spec.subdivide_limit = 1;
  const auto domain = find_divergence_mechanism("warp-subdivision").make(spec);
  std::vector<FrontierPlace> order(40);
  for (std::uint32_t pc = 0; pc < order.size(); ++pc) order[pc].number = pc / 10;
  order[16].number = 5;  // a block of one instruction; the others have more
  domain->begin_kernel(order);
  const ActiveMask all(0b1111);
  domain->launch(0, {&all, 1});
  const std::array outer{path(10, 0b0011), path(20, 0b1100)}, inner{path(12, 0b0001), path(14, 0b0010)};
  domain->advance(domain->runnable(0)[0], outer, 30);
  domain->advance(domain->runnable(0)[0], inner, 16);
  EXPECT_EQ(domain->describe(0),
            "stack    pc   rpc  lanes\n"
            "         30     -  1111\n"
            "         20    30  1100\n"
            "         16    30  0011  subdivided\n"
            "ST       pc   rpc  lanes\n"
            "         12    16  0001\n"
            "         14    16  0010\n");
}

}  // namespace warp_subdivision_test
}  // namespace warpfork
