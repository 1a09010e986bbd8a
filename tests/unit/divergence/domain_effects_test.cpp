// What several calls of a domain have done together. Expected values: by hand.
#include "divergence/domain_effects.h"

#include <gtest/gtest.h>

#include <array>

#include "divergence/registry.h"
#include "one_warp.h"

namespace warpfork {
namespace domain_effects_test {

TEST(DomainEffects, what_is_done_afterwards_comes_behind) {
  DomainEffects first, next;
  first.changed = WarpSet::single(0);
  first.table_moves = {{0, 1, true}};
  next.changed = next.formed = WarpSet::single(2);
  next.table_moves = {{0, 2, false}};
  first += next;
  EXPECT_EQ(first.changed, WarpSet(0b101));
  EXPECT_EQ(first.formed, WarpSet(0b100));
  ASSERT_EQ(first.table_moves.size(), 2u);
  EXPECT_EQ(first.table_moves[1].index, 2u);
}

TEST(DomainEffects, a_call_returns_nothing_of_the_calls_before) {
  const auto domain = find_divergence_mechanism("tbc").make({});
  const std::array lanes{ActiveMask(0b1111), ActiveMask(0b1111)};
  domain->launch(0, lanes);
  const std::array halves{path(10, 0b0011), path(20, 0b1100)};
  domain->advance(0, halves, 30);
  EXPECT_EQ(domain->advance(kMaxWarpSize, halves, 30).compactions.size(), 1u);
  const DomainEffects& arrived = domain->jump(0, 30);
  EXPECT_TRUE(arrived.compactions.empty());
  EXPECT_TRUE(arrived.changed.contains(0));
}

}  // namespace domain_effects_test
}  // namespace warpfork
