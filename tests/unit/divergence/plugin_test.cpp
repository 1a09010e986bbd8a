#include "divergence/plugin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork {
namespace plugin_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

/// The example, and a library that is there but no plugin.
constexpr const char* kMinPc = TEST_PLUGIN;
constexpr const char* kNoPlugin = TEST_NO_PLUGIN;

TEST(Plugin, brings_its_mechanism) {
  const std::vector<DivergenceMechanism> found = load_plugins({kMinPc});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "min-pc");
  EXPECT_TRUE(found[0].one_path);
  EXPECT_FALSE(found[0].meets_by_postdominators);
}

TEST(Plugin, runs_the_split_with_the_lowest_pc_until_it_meets_the_next) {
  const auto domain = load_plugins({kMinPc})[0].make({});
  const ActiveMask warp[] = {ActiveMask(0b1111)};
  domain->launch(0, warp);
  const Path sides[] = {{4, ActiveMask(0b0101)}, {2, ActiveMask(0b1010)}};
  domain->advance(domain->runnable(0)[0], sides, 6);
  const WarpSplit& lower = domain->split(domain->runnable(0)[0]);
  EXPECT_EQ(lower.pc, 2u);
  EXPECT_EQ(lower.reconvergence_pc, 4u);
  domain->jump(lower.id, 4);
  EXPECT_EQ(domain->split(domain->runnable(0)[0]).lanes, ActiveMask(0b1111));
}

TEST(Plugin, is_refused_where_there_is_none) {
  EXPECT_THAT([] { load_plugins({"/nowhere/plugin.so"}); },
              ThrowsMessage<Error>(AllOf(StartsWith("WARPFORK_PLUGINS: "), HasSubstr("/nowhere/plugin.so"))));
  EXPECT_THAT([] { load_plugins({kNoPlugin}); },
              ThrowsMessage<Error>(AllOf(HasSubstr("is no plugin"), HasSubstr("WARPFORK_DIVERGENCE_PLUGIN"))));
}

TEST(Plugin, is_named_by_the_environment_as_folders_are_by_path) {
  setenv("WARPFORK_PLUGINS", "one.so::./two.so:", 1);
  EXPECT_THAT(plugin_files(), ::testing::ElementsAre("one.so", "./two.so"));
  unsetenv("WARPFORK_PLUGINS");
  EXPECT_THAT(plugin_files(), ::testing::IsEmpty());
}

TEST(Plugin, built_against_other_sizes_is_not_ours) {
  PluginInterface other;
  other.split += 8;
  EXPECT_NE(other, PluginInterface{});
}

}  // namespace plugin_test
}  // namespace warpfork
