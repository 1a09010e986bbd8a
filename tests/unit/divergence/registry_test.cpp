#include "divergence/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "one_warp.h"

namespace warpfork {
namespace registry_test {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(DivergenceRegistry, every_mechanism_is_found_by_its_name) {
  for (const DivergenceMechanism& mechanism : divergence_mechanisms())
    EXPECT_EQ(&find_divergence_mechanism(mechanism.name), &mechanism);
}

TEST(DivergenceRegistry, unknown_name_is_an_error_with_the_nearest_one) {
  EXPECT_THAT([] { find_divergence_mechanism("multipath"); },
              ThrowsMessage<Error>(HasSubstr("did you mean multi-path?")));
}

TEST(DivergenceRegistry, warps_of_a_block_are_independent_and_their_splits_distinct) {
  for (const DivergenceMechanism& mechanism : divergence_mechanisms()) {
    const auto domain = mechanism.make({});
    const ActiveMask lanes[] = {ActiveMask(0b1111), ActiveMask(0b0011)};
    domain->launch(7, lanes);
    const SplitId first = domain->runnable(0).front(), second = domain->runnable(1).front();
    EXPECT_NE(first, second) << mechanism.name;
    EXPECT_EQ(domain->split(second).warp, 1u) << mechanism.name;
    EXPECT_EQ(domain->advance(second, {}, kNoPc).changed, WarpSet::single(1)) << mechanism.name;
    EXPECT_EQ(domain->split(first).pc, 7u) << mechanism.name;
  }
}

TEST(DivergenceRegistry, split_passes_to_any_place_but_its_reconvergence_point_where_blocks_are_not_watched) {
  for (const char* name : {"pdom", "dual-path", "multi-path"}) {
    OneWarp warp(name);
    warp.advance(0b1111, {path(10, 0b0011), path(20, 0b1100)}, 30);
    const SplitId side = warp.id(0b0011);
    EXPECT_FALSE(warp.domain().pass(side, 30)) << name;
    EXPECT_EQ(warp.pc(0b0011), 10u) << name;
    EXPECT_TRUE(warp.domain().pass(side, 29)) << name;
    EXPECT_EQ(warp.pc(0b0011), 29u) << name;
  }
  EXPECT_FALSE(OneWarp("multi-path-or").domain().pass(0, 10));
  EXPECT_FALSE(OneWarp("tbc").domain().pass(0, 10));
}

/// Whether a diverging warp waits at 0 after a compaction has not paid there, and then one at 8.
bool capri_waits_after_two_failures(const DivergenceSpec& spec) {
  const DomainMaker make = find_divergence_mechanism("capri").of_core(spec);
  const ActiveMask lanes[] = {ActiveMask(0b11), ActiveMask(0b11)};
  const Path paths[] = {{20, ActiveMask(0b01)}, {30, ActiveMask(0b10)}};
  for (Pc branch : {0, 8}) {
    const auto block = make();
    block->launch(branch, lanes);
    for (SplitId warp : {0u, kMaxWarpSize}) block->advance(warp, paths, 40);
  }
  const auto block = make();
  block->launch(0, lanes);
  block->advance(0, paths, 40);
  return block->runnable(0).empty();
}

// Two entries: 8 displaces 0 if the lowest bit of the pc chooses, but not if the fourth does.
TEST(DivergenceRegistry, capri_has_a_predictor_of_the_size_and_shift_that_are_wanted) {
  EXPECT_FALSE(capri_waits_after_two_failures({}));
  EXPECT_TRUE(capri_waits_after_two_failures({.predictor_entries = 2}));
  EXPECT_FALSE(capri_waits_after_two_failures({.predictor_entries = 2, .predictor_index_shift = 3}));
}

// A warp of two threads is known to gain nothing by waiting where it parts for the first time.
TEST(DivergenceRegistry, oracle_of_capri_has_the_foresight_that_it_is_given) {
  ProfiledDivergence entry;
  entry.executions = 1;
  entry.lanes = ActiveMask(0b11);
  CompactionProfile known(1);
  known.of_block(0) = {entry};
  known.complete();
  const ActiveMask lanes[] = {ActiveMask(0b11), ActiveMask(0b11)};
  const Path paths[] = {{20, ActiveMask(0b01)}, {30, ActiveMask(0b10)}};
  for (const bool foresees : {false, true}) {
    const Foresight foresight{foresees ? &known : nullptr};
    const auto block = find_divergence_mechanism("capri").of_core({.predictor = "oracle"}, foresight)();
    block->launch(0, lanes);
    block->advance(0, paths, 40);
    EXPECT_EQ(block->runnable(0).empty(), !foresees);
  }
}

TEST(DivergenceRegistry, capri_alone_is_rehearsed_and_only_for_its_oracle) {
  for (const DivergenceMechanism& mechanism : divergence_mechanisms()) {
    EXPECT_EQ(mechanism.rehearses({.predictor = "oracle"}), mechanism.name == "capri") << mechanism.name;
    EXPECT_FALSE(mechanism.rehearses({})) << mechanism.name;
  }
}

}  // namespace registry_test
}  // namespace warpfork
