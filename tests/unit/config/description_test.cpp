#include "config/description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::config {
namespace description_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

struct CoreSpec {
  unsigned warps = 48, banks = 16;
  std::uint64_t registers = 32768;
  bool stall = false;
  std::vector<std::uint32_t> lanes = {16, 16};

  template <class Visit>
  void visit(Visit&& v) {
    v("warps", warps, "warps of a core");
    v("banks", banks, "banks of the registers", {1, 32});
    v("registers", registers, "32-bit registers of a core");
    v("stall", stall, "yes or no");
    v("lanes", lanes, "lanes of each unit");
  }
};

struct ToySpec {
  std::string name = "toy";
  double clock = 700;
  CoreSpec core;

  template <class Visit>
  void visit(Visit&& v) {
    v("name", name, "the machine's name");
    v("clock", clock, "MHz");
    v("core", core, "one core");
  }
};

auto throws_with(const std::string& text) { return ThrowsMessage<Error>(HasSubstr(text)); }

TEST(Description, file_text_sets_what_it_names_and_leaves_the_rest) {
  ToySpec spec;
  bind(spec, "clock = 924.5\n[core]\nstall = true\nlanes = [8]\n", "toy.toml");
  EXPECT_EQ(spec.clock, 924.5);
  EXPECT_TRUE(spec.core.stall);
  EXPECT_EQ(spec.core.lanes, std::vector<std::uint32_t>{8});
  EXPECT_EQ(spec.core.warps, 48u);
}

TEST(Description, an_integer_may_stand_for_a_real_number) {
  ToySpec spec;
  bind(spec, "clock = 1300", "toy.toml");
  EXPECT_EQ(spec.clock, 1300.0);
}

TEST(Description, an_unknown_key_is_an_error_with_place_and_nearest_name) {
  ToySpec spec;
  EXPECT_THAT([&] { bind(spec, "[core]\n  wraps = 4\n", "toy.toml"); },
              throws_with("toy.toml:2:3: error: there is no key 'core.wraps'\n  nearest: core.warps"));
}

TEST(Description, an_unknown_table_is_compared_with_tables) {
  ToySpec spec;
  EXPECT_THAT([&] { bind(spec, "[cores]\nwarps = 4\n", "toy.toml"); },
              throws_with("there is no table 'cores'\n  nearest: core"));
}

TEST(Description, a_value_of_the_wrong_type_is_an_error_with_place) {
  ToySpec spec;
  EXPECT_THAT([&] { bind(spec, "[core]\nwarps = \"many\"\n", "toy.toml"); },
              throws_with("toy.toml:2:9: error: 'core.warps' must be an integer from 0 to 4294967295, not \"many\""));
  EXPECT_THAT([&] { bind(spec, "core = 3\n", "toy.toml"); },
              throws_with("'core' is a table, not a single value\n  its keys: warps, banks, registers, stall, lanes"));
  EXPECT_THAT([&] { bind(spec, "[name]\n", "toy.toml"); }, throws_with("'name' is a single value, not a table"));
}

TEST(Description, integers_are_held_to_their_range) {
  ToySpec spec;
  bind(spec, "core.warps = 4294967295", "toy.toml");
  EXPECT_EQ(spec.core.warps, 4294967295u);
  EXPECT_THROW(bind(spec, "core.warps = 4294967296", "toy.toml"), Error);
  EXPECT_THROW(bind(spec, "core.warps = -1", "toy.toml"), Error);
}

TEST(Description, an_integer_may_have_bounds_of_its_own) {
  ToySpec spec;
  bind(spec, "core.banks = 1", "toy.toml");
  bind(spec, "core.banks = 32", "toy.toml");
  EXPECT_THAT([&] { bind(spec, "core.banks = 0", "toy.toml"); },
              throws_with("toy.toml:1:14: error: 'core.banks' must be an integer from 1 to 32, not 0"));
  EXPECT_THAT([&] { apply_override(spec, "core.banks=33"); }, throws_with("from 1 to 32, not 33"));
}

TEST(Description, text_that_is_no_toml_is_an_error_with_place) {
  ToySpec spec;
  EXPECT_THAT([&] { bind(spec, "clock = = 3\n", "toy.toml"); },
              ThrowsMessage<Error>(StartsWith("toy.toml:1:9: error: ")));
}

TEST(Description, a_missing_file_is_an_error_that_names_it) {
  ToySpec spec;
  EXPECT_THAT([&] { bind(spec, std::filesystem::path("no/such.toml")); },
              throws_with("no/such.toml: error: cannot be read: No such file or directory"));
}

TEST(Override, sets_values_of_every_type) {
  ToySpec spec;
  for (const char* assignment : {"core.warps=32", "core.stall=true", "name=fast one", "clock=1.5", "core.lanes=[8, 4]"})
    apply_override(spec, assignment);
  EXPECT_EQ(spec.core.warps, 32u);
  EXPECT_TRUE(spec.core.stall);
  EXPECT_EQ(spec.name, "fast one");
  EXPECT_EQ(spec.clock, 1.5);
  EXPECT_EQ(spec.core.lanes, (std::vector<std::uint32_t>{8, 4}));
}

TEST(Override, tells_what_is_wrong_with_an_assignment) {
  ToySpec spec;
  EXPECT_THAT([&] { apply_override(spec, "core.wraps=3"); }, throws_with("nearest: core.warps"));
  EXPECT_THAT([&] { apply_override(spec, "core.warps=x"); }, throws_with("must be an integer from 0"));
  EXPECT_THAT([&] { apply_override(spec, "core=3"); }, throws_with("is a table"));
  EXPECT_THAT([&] { apply_override(spec, "clock"); }, throws_with("path.to.key=value is wanted"));
  EXPECT_THAT([&] { apply_override(spec, "clock=1\nname=2"); }, throws_with("must be a finite number"));
  EXPECT_THAT([&] { apply_override(spec, "clock=nan"); }, throws_with("must be a finite number, not nan"));
  EXPECT_THAT([&] { apply_override(spec, "clock=-inf"); }, throws_with("must be a finite number, not -inf"));
}

TEST(Description, goes_to_json_in_the_order_of_its_fields_and_back) {
  ToySpec spec;
  spec.core.warps = 7;
  const auto json = to_json(spec);
  EXPECT_EQ(
      json.dump(),
      R"({"name":"toy","clock":700.0,"core":{"warps":7,"banks":16,"registers":32768,"stall":false,"lanes":[16,16]}})");
  ToySpec copy;
  bind_json(copy, json, "session");
  EXPECT_EQ(copy.core.warps, 7u);
}

TEST(Description, lists_every_key_with_value_and_doc) {
  const std::vector<Key> all = keys(ToySpec{});
  ASSERT_EQ(all.size(), 7u);
  EXPECT_EQ(all[2].path, "core.warps");
  EXPECT_EQ(all[2].value, "48");
  EXPECT_EQ(all[2].doc, "warps of a core");
  EXPECT_EQ(all[3].doc, "banks of the registers; 1 to 32");
}

}  // namespace description_test
}  // namespace warpfork::config
