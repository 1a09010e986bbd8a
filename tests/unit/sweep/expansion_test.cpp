#include "sweep/expansion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::sweep {
namespace expansion_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string kGpu = R"([[program]]
file = "bfs"
arguments = ["--nodes", "{nodes}"]
[[machine]]
machine = "gtx480"
[[axis]]
name = "nodes"
values = [10, 20]
)";
const std::string kMechanism = R"([[axis]]
name = "mechanism"
set = "divergence.mechanism"
values = ["pdom", "capri"]
)";

std::vector<Point> points(const std::string& text) { return points_of(config::parse_sweep(text, "p.toml")); }

std::vector<std::string> labels(const std::string& text) {
  std::vector<std::string> all;
  for (const Point& point : points(text)) all.push_back(point.label());
  return all;
}

TEST(Expansion, axes_multiply_and_the_last_steps_fastest) {
  EXPECT_THAT(labels(kGpu + kMechanism),
              ElementsAre("bfs on gtx480: nodes 10, mechanism pdom", "bfs on gtx480: nodes 10, mechanism capri",
                          "bfs on gtx480: nodes 20, mechanism pdom", "bfs on gtx480: nodes 20, mechanism capri"));
}

TEST(Expansion, a_value_stands_where_its_name_stands_and_is_set_where_a_key_is_named) {
  const Point last = points(kGpu + kMechanism).back();
  EXPECT_THAT(last.arguments, ElementsAre("--nodes", "20"));
  EXPECT_THAT(last.overrides, ElementsAre("divergence.mechanism=capri"));
}

TEST(Expansion, a_program_has_only_the_axes_that_make_a_difference_to_it) {
  EXPECT_THAT(labels(kGpu + "[[program]]\nfile = \"lud\"\narguments = [\"{{4}}\"]\n"),
              ElementsAre("bfs on gtx480: nodes 10", "bfs on gtx480: nodes 20", "lud on gtx480"));
  EXPECT_THAT(points(kGpu + "[[program]]\nfile = \"lud\"\narguments = [\"{{4}}\"]\n")[2].arguments, ElementsAre("{4}"));
}

TEST(Expansion, axes_of_one_zip_step_together) {
  std::string text = kGpu + kMechanism + "zip = \"z\"\n";
  text.replace(text.find("values = [10, 20]"), 0, "zip = \"z\"\n");
  EXPECT_THAT(labels(text),
              ElementsAre("bfs on gtx480: nodes 10, mechanism pdom", "bfs on gtx480: nodes 20, mechanism capri"));
}

TEST(Expansion, an_exclusion_takes_away_points_that_have_all_of_it) {
  EXPECT_THAT(labels(kGpu + kMechanism + "[[exclude]]\nnodes = 20\nmechanism = [\"pdom\", \"other\"]\n"),
              ElementsAre("bfs on gtx480: nodes 10, mechanism pdom", "bfs on gtx480: nodes 10, mechanism capri",
                          "bfs on gtx480: nodes 20, mechanism capri"));
}

TEST(Expansion, recordings_run_on_cores_and_programs_on_gpus) {
  EXPECT_THAT(labels(kGpu + "[[program]]\nfile = \"a.wft\"\n[[machine]]\ncore = \"smt\"\n"),
              ElementsAre("bfs on gtx480: nodes 10", "bfs on gtx480: nodes 20", "a.wft on smt"));
}

TEST(Expansion, what_no_point_has_is_refused_at_its_place) {
  EXPECT_THAT([] { points(kGpu + "[[program]]\nfile = \"a.wft\"\n"); },
              ThrowsMessage<Error>(HasSubstr("p.toml:10:8: error: a recording runs on a machine with 'core'")));
  EXPECT_THAT([] { points(kGpu + "[[axis]]\nname = \"lost\"\nvalues = [1]\n"); },
              ThrowsMessage<Error>(HasSubstr("p.toml:10:8: error: no program or machine has this axis")));
  EXPECT_THAT([] { points(kGpu + "[[exclude]]\nnodes = 30\n"); },
              ThrowsMessage<Error>(HasSubstr("p.toml:10:9: error: no point is excluded by this")));
  EXPECT_THAT([] { points(kGpu + "[[program]]\nfile = \"x\"\narguments = \"{node}\"\n"); },
              ThrowsMessage<Error>(HasSubstr("p.toml:10:8: error: {node}: there is no such axis\n  axes: nodes")));
  EXPECT_THAT([] { points(kGpu + "[[machine]]\nname = \"m\"\nmachine = \"{node}\"\n"); },
              ThrowsMessage<Error>(HasSubstr("p.toml:11:11: error: {node}: there is no such axis")));
}

TEST(Expansion, options_of_gpus_need_a_point_on_one) {
  const std::string recording = "[[program]]\nfile = \"a.wft\"\n[[machine]]\ncore = \"smt\"\n";
  for (const std::string option :
       {"functional_only = true", "energy = true", "lines = true", "kernels = \"k\"", "max_cycles = 9"}) {
    EXPECT_THAT([&] { points(option + "\n" + recording); },
                ThrowsMessage<Error>(HasSubstr("error: this is of GPU runs alone")))
        << option;
    EXPECT_EQ(points(option + "\n" + kGpu + recording).size(), 3u);
  }
  EXPECT_EQ(points("energy = false\n" + recording).size(), 1u);
  EXPECT_THAT([&] { points("energy = true\n" + kGpu + recording + "[[exclude]]\nmachine = \"gtx480\"\n"); },
              ThrowsMessage<Error>(HasSubstr("p.toml:1:10: error: this is of GPU runs alone")));
}

}  // namespace expansion_test
}  // namespace warpfork::sweep
