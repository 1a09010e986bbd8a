#include "config/sweep_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::config {
namespace sweep_plan_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string kHead = R"([[program]]
file = "bfs"
[[machine]]
machine = "gtx480"
)";

SweepPlan parse(const std::string& text) { return parse_sweep(text, "p.toml"); }

std::vector<std::string> values(const std::string& axis) {
  std::vector<std::string> texts;
  const SweepPlan plan = parse(kHead + "[[axis]]\nname = \"n\"\n" + axis);
  for (const auto& value : plan.axes[0].values) texts.push_back(sweep_text(value));
  return texts;
}

TEST(SweepPlan, programs_and_machines_are_called_by_their_files_without_a_name) {
  const SweepPlan plan = parse(kHead + "[[machine]]\nname = \"narrow\"\ncore = \"simt-x\"\nset = [\"warps=2\"]\n");
  EXPECT_EQ(plan.programs[0].name, "bfs");
  EXPECT_EQ(plan.machines[0].name, "gtx480");
  EXPECT_EQ(plan.machines[1].name, "narrow");
  EXPECT_THAT(plan.machines[1].overrides, ElementsAre("warps=2"));
}

TEST(SweepPlan, an_axis_lists_values_of_any_plain_type) {
  EXPECT_THAT(values("values = [1, 0.5, \"pdom\", true]"), ElementsAre("1", "0.5", "pdom", "true"));
}

TEST(SweepPlan, a_range_includes_its_end) {
  EXPECT_THAT(values("from = 1\nto = 3"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(values("from = 1\nto = 4\nstep = 2"), ElementsAre("1", "3"));
  EXPECT_THAT(values("from = 3\nto = 1\nstep = -1"), ElementsAre("3", "2", "1"));
  EXPECT_THAT(values("from = 0.1\nto = 0.3\nstep = 0.1"), ElementsAre("0.1", "0.2", "0.3"));
  EXPECT_THAT(values("from = 64\nto = 512\nfactor = 2"), ElementsAre("64", "128", "256", "512"));
}

TEST(SweepPlan, a_range_that_is_none_is_refused_at_its_place) {
  EXPECT_THAT([] { values("from = 3\nto = 1"); }, ThrowsMessage<Error>(HasSubstr("p.toml:7:8: error: no step leads")));
  EXPECT_THAT([] { values("from = 1\nto = 2\nstep = 0"); }, ThrowsMessage<Error>(HasSubstr("'step' must not be 0")));
  EXPECT_THAT([] { values("from = 0\nto = 8\nfactor = 2"); }, ThrowsMessage<Error>(HasSubstr("above 0")));
  EXPECT_THAT([] { values("from = 0\nto = 1\nstep = 1e-9"); }, ThrowsMessage<Error>(HasSubstr("a million")));
  EXPECT_THAT([] { values("values = []"); }, ThrowsMessage<Error>(HasSubstr("'values' is empty")));
  EXPECT_THAT([] { values("values = [1]\nto = 2"); }, ThrowsMessage<Error>(HasSubstr("either 'values' or a range")));
}

TEST(SweepPlan, axes_of_one_zip_have_as_many_values) {
  const std::string two =
      kHead + "[[axis]]\nname = \"a\"\nzip = \"z\"\nvalues = [1, 2]\n[[axis]]\nname = \"b\"\nzip = \"z\"\n";
  EXPECT_EQ(parse(two + "values = [3, 4]\n").axes[1].zip, "z");
  EXPECT_THAT([&] { parse(two + "values = [3]\n"); }, ThrowsMessage<Error>(HasSubstr("p.toml:11:7: error: zip 'z'")));
}

TEST(SweepPlan, an_axis_does_not_step_together_with_itself) {
  const std::string one = "[[axis]]\nname = \"a\"\nzip = \"n\"\nvalues = [1, 2]\n";
  EXPECT_THAT([&] { parse(kHead + one + "[[axis]]\nname = \"n\"\nvalues = [3, 4]\n"); },
              ThrowsMessage<Error>(HasSubstr("p.toml:6:8: error: zip 'n': no other axis has it")));
}

TEST(SweepPlan, names_are_there_once) {
  EXPECT_THAT([] { parse(kHead + "[[program]]\nfile = \"bfs\"\n"); },
              ThrowsMessage<Error>(HasSubstr("there are two programs of the name 'bfs'")));
  EXPECT_THAT([] { parse(kHead + "[[axis]]\nname = \"program\"\nvalues = [1]\n"); },
              ThrowsMessage<Error>(HasSubstr("an axis cannot have this name")));
}

TEST(SweepPlan, an_axis_has_not_the_name_of_a_column) {
  for (const char* name : {"cycles", "IPC", "label", "id", "state", "kind", "machine"})
    EXPECT_THAT([&] { parse(kHead + "[[axis]]\nname = \"" + name + "\"\nvalues = [1]\n"); },
                ThrowsMessage<Error>(AllOf(HasSubstr("an axis cannot have this name: a column of the results has it"),
                                           HasSubstr("these have: arguments, awaited, "))))
        << name;
}

TEST(SweepPlan, a_key_is_set_by_one_axis) {
  const std::string machines = "[[machine]]\nname = \"other\"\nmachine = \"gtx480\"\n";
  const auto axis = [](const std::string& name, const std::string& machine) {
    return "[[axis]]\nname = \"" + name + "\"\nset = \"core.warps\"\nvalues = [1]\n" + machine;
  };
  EXPECT_THAT([&] { parse(kHead + axis("a", "") + axis("b", "machines = [\"gtx480\"]\n")); },
              ThrowsMessage<Error>(HasSubstr("axis 'a' sets 'core.warps', too")));
  EXPECT_EQ(parse(kHead + machines + axis("a", "machines = [\"other\"]\n") + axis("b", "machines = [\"gtx480\"]\n"))
                .axes.size(),
            2u);
}

TEST(SweepPlan, kernel_and_launch_go_together) {
  EXPECT_THAT([] { parse("[[program]]\nfile = \"k.ptx\"\n"); },
              ThrowsMessage<Error>(HasSubstr("p.toml:2:8: error: a bare kernel needs the key 'launch'")));
  EXPECT_THAT([] { parse("[[program]]\nfile = \"k\"\nlaunch = \"l.toml\"\n"); },
              ThrowsMessage<Error>(HasSubstr("p.toml:3:10: error: 'launch' goes with a .ptx file")));
}

TEST(SweepPlan, saved_launches_and_recordings_take_no_arguments) {
  EXPECT_TRUE(parse("[[program]]\nfile = \"k.wfl\"\n" + kHead).programs[0].is_saved_launch());
  EXPECT_THAT([] { parse("[[program]]\nfile = \"k.wfl\"\narguments = [\"1\"]\n"); },
              ThrowsMessage<Error>(HasSubstr("p.toml:3:13: error: a saved launch takes no arguments")));
  EXPECT_THAT([] { parse("[[program]]\nfile = \"k.wft\"\narguments = [\"1\"]\n"); },
              ThrowsMessage<Error>(HasSubstr("a recording takes no arguments")));
}

TEST(SweepPlan, lines_need_timing) {
  EXPECT_TRUE(parse("lines = true\n" + kHead).options.lines);
  EXPECT_FALSE(parse(kHead).options.lines);
  EXPECT_THAT([] { parse("functional_only = true\nlines = true\n" + kHead); },
              ThrowsMessage<Error>(HasSubstr("p.toml:2:9: error: 'lines' needs timing")));
}

}  // namespace sweep_plan_test
}  // namespace warpfork::config
