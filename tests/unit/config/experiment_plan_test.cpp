#include "config/experiment_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::config {
namespace experiment_plan_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::ThrowsMessage;

const std::string kHead = R"(title = "T"
paper = "P"
machine = "gtx480"
set = ["core.l1i.sets=32"]
baseline = "one"
[[configuration]]
name = "one"
divergence = "pdom"
[[configuration]]
name = "two"
divergence = "multi-path"
set = ["divergence.max_splits=2"]
[[benchmark]]
name = "B"
program = "bfs"
small = ["100"]
paper = ["1000", "--hubs", "8"]
[[benchmark]]
name = "C"
program = "lud"
)";
const std::string kFigure = R"([[figure]]
name = "Figure 1"
title = "cycles"
mean = "harmonic"
configurations = ["two"]
[[figure.quantity]]
title = "speed-up"
value = "cycles"
relation = "speed-up"
)";

ExperimentPlan parse(const std::string& text, const std::string& scale = "small") {
  return parse_experiment(text, "e.toml", scale);
}

TEST(ExperimentPlan, takes_the_arguments_of_the_scale) {
  EXPECT_THAT(parse(kHead).benchmarks[0].arguments, ElementsAre("100"));
  EXPECT_THAT(parse(kHead, "paper").benchmarks[0].arguments, ElementsAre("1000", "--hubs", "8"));
  EXPECT_THAT(parse(kHead).benchmarks[1].arguments, IsEmpty());
}

TEST(ExperimentPlan, reads_machines_and_figures) {
  const ExperimentPlan plan = parse(
      kHead + kFigure +
      "[[figure.claim]]\ntext = 'better'\npaper = '1.1'\nconfiguration = 'two'\nover = 'one'\nof = 'mean'\n"
      "at_least = 1\n[[figure.claim]]\ntext = 'B above C'\nconfiguration = 'two'\ngreater = ['B']\nlesser = ['C']\n");
  EXPECT_EQ(plan.machine, "gtx480");
  EXPECT_THAT(plan.overrides, ElementsAre("core.l1i.sets=32"));
  ASSERT_EQ(plan.configurations.size(), 2u);
  EXPECT_EQ(plan.configurations[1].divergence, "multi-path");
  EXPECT_THAT(plan.configurations[1].overrides, ElementsAre("divergence.max_splits=2"));
  ASSERT_EQ(plan.figures.size(), 1u);
  const Figure& figure = plan.figures[0];
  EXPECT_EQ(figure.mean, Mean::Harmonic);
  EXPECT_THAT(figure.configurations, ElementsAre("two"));
  EXPECT_EQ(figure.quantities.at(0).relation, Quantity::Relation::SpeedUp);
  ASSERT_EQ(figure.claims.size(), 2u);
  EXPECT_EQ(figure.claims[0].of, "mean");
  EXPECT_EQ(figure.claims[0].at_least, 1);
  EXPECT_EQ(figure.claims[0].at_most, std::nullopt);
  EXPECT_THAT(figure.claims[1].greater, ElementsAre("B"));
}

TEST(ExperimentPlan, asks_for_energy_where_a_figure_shows_it) {
  EXPECT_FALSE(parse(kHead + kFigure).asks_for_energy());
  for (const char* quantity : {"value = 'energy/edp'", "value = 'cycles'\nper = ['launches', 'area/total']"})
    EXPECT_TRUE(parse(kHead + kFigure + "[[figure.quantity]]\ntitle = 'q'\n" + quantity).asks_for_energy()) << quantity;
}

TEST(ExperimentPlan, reads_what_the_rows_of_a_figure_are) {
  const std::string head = kHead + "[[figure]]\nname = 'F'\ntitle = 'f'\nmean = 'geometric'\n";
  const std::string quantity = "[[figure.quantity]]\ntitle = 'q'\nvalue = 'cycles'\n";
  EXPECT_FALSE(parse(head + quantity).figures[0].by_configuration);
  EXPECT_FALSE(parse(head + "rows = 'benchmarks'\n" + quantity).figures[0].by_configuration);
  EXPECT_TRUE(parse(head + "rows = 'configurations'\n" + quantity).figures[0].by_configuration);
}

TEST(ExperimentPlan, gives_a_row_to_each_kernel_of_a_program) {
  const ExperimentPlan plan =
      parse(kHead + "[[benchmark]]\nprogram = 'b'\nkernels = {D_1 = '^g$', D_0 = '^f<'}\nsmall = ['8']\n");
  ASSERT_EQ(plan.benchmarks.size(), 4u);
  EXPECT_EQ(plan.benchmarks[1].kernels, "");
  EXPECT_EQ(plan.benchmarks[2].name, "D_0");
  EXPECT_EQ(plan.benchmarks[2].kernels, "^f<");
  EXPECT_EQ(plan.benchmarks[3].kernels, "^g$");
  EXPECT_THAT(plan.benchmarks[3].arguments, ElementsAre("8"));
}

TEST(ExperimentPlan, reads_the_papers_own_numbers) {
  EXPECT_THAT(parse(kHead + kFigure).figures[0].quantities[0].paper, IsEmpty());
  EXPECT_THAT(parse(kHead + kFigure + "paper = {C = 0.5, B = 2}\n").figures[0].quantities[0].paper,
              ElementsAre(Pair("B", 2), Pair("C", 0.5)));
}

TEST(ExperimentPlan, reads_how_lanes_are_organised) {
  const ExperimentPlan plan =
      parse(kHead + "[[configuration]]\nname = 'three'\ndivergence = 'pdom'\nlanes = 'tsimt'\n");
  EXPECT_THAT(plan.configurations[1].lanes, IsEmpty());
  EXPECT_EQ(plan.configurations[2].lanes, "tsimt");
}

TEST(ExperimentPlan, lets_a_group_stand_for_its_benchmarks) {
  const ExperimentPlan plan = parse(
      kHead +
      "[[group]]\nname = 'all'\nbenchmarks = ['C', 'B']\n[[group]]\nname = 'both'\nbenchmarks = 'all'\n"
      "[[figure]]\nname = 'F'\ntitle = 'f'\nbenchmarks = ['both']\n[[figure.quantity]]\ntitle = 'q'\nvalue = 'v'\n"
      "[[figure.claim]]\ntext = 't'\nconfiguration = 'two'\nof = 'mean'\namong = ['all']\nat_least = 1\n");
  EXPECT_THAT(plan.figures[0].benchmarks, ElementsAre("C", "B"));
  EXPECT_THAT(plan.figures[0].claims[0].among, ElementsAre("C", "B"));
}

TEST(ExperimentPlan, shows_rows_in_a_figures_order) {
  std::vector<Benchmark> benchmarks = {{"A", "a", {}}, {"B", "b", {}}};
  Figure figure;
  EXPECT_THAT(figure.rows(benchmarks), ElementsAre("A", "B"));
  figure.benchmarks = {"B", "A"};
  EXPECT_THAT(figure.rows(benchmarks), ElementsAre("B", "A"));
  benchmarks.pop_back();  // --only A
  EXPECT_THAT(figure.rows(benchmarks), ElementsAre("A"));
}

TEST(ExperimentPlan, refuses_what_it_does_not_know_with_the_place) {
  const auto refuses = [](const std::string& text, const std::string& message) {
    EXPECT_THAT([&] { parse(text); }, ThrowsMessage<Error>(HasSubstr(message))) << text;
  };
  refuses("title = 'T'", "e.toml:1:1: error: an experiment needs the key 'paper'");
  refuses(kHead + "[[benchmark]]\nname = 'B'\nprogram = 'x'\n", "e.toml:22:8: error: there are two of the name 'B'");
  refuses(kHead + "[[figure]]\nname = 'F'\ntitle = 'f'\n", "a figure needs a [[figure.quantity]]");
  refuses(kHead + "[[figure]]\nname = 'F'\ntitle = 'f'\n[[figure.quantity]]\ntitle = 'q'\n",
          "a quantity needs the key 'value'");
  refuses(kHead + "[[figure]]\nname = 'F'\ntitle = 'f'\nmean = 'median'\n",
          "there is no 'median'\n  known: arithmetic");
  refuses(kHead + "[[figure]]\nname = 'F'\ntitle = 'f'\nrows = 'configurations'\n",
          "e.toml:24:8: error: rows of configurations show means: the figure needs the key 'mean'");
  refuses(kHead + kFigure + "paper = {D = 1}\n", "'paper': there is no 'D'\n  known: B, C");
  refuses(kHead + kFigure + "paper = {B = 'much'}\n", "'paper' must be a table of numbers");
  refuses(kHead + kFigure + "paper = 1\n", "'paper' must be a table of numbers");
  const std::string claim = kHead + kFigure + "[[figure.claim]]\ntext = 't'\n";
  refuses(claim + "configuration = 'three'\n", "there is no 'three'\n  known: one, two");
  refuses(claim + "configuration = 'two'\n", "a claim needs either bounds");
  refuses(claim + "configuration = 'two'\nat_least = 1\nof = 'D'\n", "known: mean, largest, smallest, B, C");
  refuses(claim + "configuration = 'two'\nat_least = 1\nof = 'mean'\namong = ['D']\n", "known: B, C");
  refuses(claim + "configuration = 'two'\nquantity = 'r'\n", "known: speed-up");
  refuses(claim + "configuration = 'two'\nat_least = 1\nof = 'B'\namong = ['B', 'C']\n",
          "'among' goes with 'mean', 'largest' or 'smallest'");
  refuses(claim + "configuration = 'two'\ngreater = ['B']\n", "'greater' and 'lesser' go together");
  refuses(claim + "configuration = 'two'\ngreater = ['B']\nlesser = ['X']\n", "there is no 'X'\n  known: B, C");
  const std::string kernels = kHead + "[[benchmark]]\nprogram = 'b'\nkernels = ";
  refuses(kernels + "{D = '('}\n", "'(' is not a regular expression");
  refuses(kernels + "{C = 'c'}\n", "e.toml:23:11: error: there are two of the name 'C'");
  refuses(kernels + "'d'\n", "'kernels' must be a table of strings");
  refuses(kernels + "{D = 'd'}\nname = 'D'\n", "a benchmark has either 'name' or 'kernels'");
  refuses(kHead + "[[group]]\nname = 'B'\nbenchmarks = ['C']\n", "there are two of the name 'B'");
  refuses(kHead + "[[group]]\nname = 'G'\n", "a group needs the key 'benchmarks'");
  refuses(kHead + "[[group]]\nname = 'G'\nbenchmarks = ['D']\n", "there is no 'D'\n  known: B, C");
  refuses(claim + "configuration = 2\n", "'configuration' must be a string");
}

TEST(ExperimentPlan, reads_what_the_paper_leaves_open) {
  const std::string claim = "[[figure.claim]]\ntext = 't'\nconfiguration = 'two'\nof = 'mean'\nband = true\n";
  const std::string choice = "[[choice]]\nname = 'other'\nset = ['a=1']\n";
  const ExperimentPlan plan = parse(kHead + choice + kFigure + claim + "at_least = 1\n");
  ASSERT_EQ(plan.choices.size(), 1u);
  EXPECT_THAT(plan.choices[0].overrides, ElementsAre("a=1"));
  EXPECT_THAT(plan.choices[0].cores, IsEmpty());
  EXPECT_TRUE(plan.figures[0].claims[0].band);
  EXPECT_THAT([&] { parse(kHead + choice + choice); }, ThrowsMessage<Error>(HasSubstr("two of the name 'other'")));
  EXPECT_THAT([&] { parse(kHead + "[[choice]]\nname = 'other'\n"); },
              ThrowsMessage<Error>(HasSubstr("a choice needs the key 'set'")));
  EXPECT_THAT(
      [&] {
        parse(kHead + kFigure +
              "[[figure.claim]]\ntext = 't'\nconfiguration = 'two'\ngreater = ['B']\n"
              "lesser = ['C']\nband = true\n");
      },
      ThrowsMessage<Error>(HasSubstr("'band' goes with bounds")));
}

TEST(ExperimentPlan, refuses_an_unknown_scale) {
  EXPECT_THAT([] { parse(kHead, "huge"); },
              ThrowsMessage<Error>(HasSubstr("there is no scale 'huge'\n  known: small, paper")));
}

}  // namespace experiment_plan_test
}  // namespace warpfork::config
