// The commands about sweeps: `sweep`, `why`, `results` and `report`. What happens when runs fail, are interrupted or
// lie on a cluster is tested in tests/sweep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "unit/cli/invocation.h"

namespace warpfork::cli {
namespace sweep_test {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

/// In a folder with a plan of two points, `plan.toml`: the kernel `number` on cores of 8 and of 16 warps.
class SweepTest : public ::testing::Test {
 protected:
  SweepTest() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    number_kernel();
    number_launch();
    write_plan("[8, 16]");
    std::filesystem::current_path(folder_);
  }
  ~SweepTest() override { std::filesystem::current_path(before_); }

  static void write_plan(const std::string& values, const std::string& key = "warps") {
    file_with("sweep/plan.toml",
              "[[program]]\nfile = \"../number.ptx\"\nlaunch = \"../number.toml\"\n[[machine]]\nmachine = \"gtx480\"\n"
              "[[axis]]\nname = \"" +
                  key + "\"\nset = \"core." + key + "\"\nvalues = " + values + "\n");
  }

  static std::string query(const std::string& sql, const std::vector<std::string>& options = {}) {
    std::vector<std::string> words = {"results", "query", sql};
    words.insert(words.end(), options.begin(), options.end());
    return invoke(words).output;
  }

  /// The first digits of the point with so many warps.
  static std::string point(const std::string& warps) {
    const std::string list = invoke("sweep plan.toml --dry-run").output;
    const std::size_t end = list.find("warps " + warps + "\n");
    return list.substr(list.rfind('\n', end) + 1, 8);
  }

  static void refuses(const std::string& line, const std::string& why) {
    EXPECT_THAT([&] { invoke(line); }, ThrowsMessage<Error>(HasSubstr(why))) << line;
  }

 private:
  const std::filesystem::path before_ = std::filesystem::current_path(), folder_ = test_folder() + "/sweep";
};

TEST_F(SweepTest, runs_each_point_of_the_plan_once) {
  const Printed first = invoke("sweep plan.toml");
  EXPECT_THAT(first.output, AllOf(HasSubstr("2 points: 2 there"), EndsWith("plan.results\n")));
  EXPECT_EQ(first.status, 0);
  EXPECT_THAT(invoke("sweep plan.toml --dry-run").output, AllOf(HasSubstr("2 there"), HasSubstr("nothing to run")));
}

TEST_F(SweepTest, lists_what_there_is_to_do_without_doing_it) {
  EXPECT_THAT(invoke("sweep plan.toml --dry-run").output,
              AllOf(HasSubstr("to run           ../number.ptx on gtx480: warps 8"), HasSubstr("0 there, 2 to run")));
  EXPECT_FALSE(std::filesystem::exists("plan.results"));
}

TEST_F(SweepTest, refuses_a_key_that_no_core_for_which_it_is_set_uses) {
  file_with("sweep/p.wft", "only hashed");
  const auto plan = [](const std::string& machines) {
    file_with("sweep/cores.toml", "[[program]]\nfile = \"p.wft\"\n" + machines);
  };
  const std::string axis = "[[axis]]\nname = \"order\"\nset = \"issue_order\"\nvalues = [\"warp\"]\n";
  plan("[[machine]]\ncore = \"smt\"\n[[machine]]\ncore = \"simt-x\"\n" + axis);
  refuses("sweep cores.toml --dry-run",
          "point 'p.wft on smt: order warp': --set issue_order=warp: simt-x and smt do not use issue_order\n"
          "  used by ditva");
  plan("[[machine]]\ncore = \"ditva\"\nset = [\"rename=rat\"]\n[[machine]]\ncore = \"simt-x\"\n");
  refuses("sweep cores.toml --dry-run", "--set rename=rat: ditva does not use rename\n  used by simt-x");
  plan("[[machine]]\ncore = \"ditva\"\n[[machine]]\ncore = \"simt-x\"\n" + axis);
  EXPECT_THAT(invoke("sweep cores.toml --dry-run").output, HasSubstr("2 points: 0 there, 2 to run"));
}

TEST_F(SweepTest, refuses_a_key_that_no_mechanism_or_lanes_for_which_it_is_set_use) {
  const auto plan = [](const std::string& machines) {
    file_with("sweep/gpus.toml",
              "[[program]]\nname = \"n\"\nfile = \"../number.ptx\"\nlaunch = \"../number.toml\"\n" + machines);
  };
  const std::string gpu = "[[machine]]\nmachine = \"gtx480\"\n";
  const std::string splits = "[[axis]]\nname = \"splits\"\nset = \"divergence.max_splits\"\nvalues = [2, 4]\n";
  const auto mechanisms = [](const std::string& names) {
    return "[[axis]]\nname = \"how\"\nset = \"divergence.mechanism\"\nvalues = [" + names + "]\n";
  };
  plan(gpu + splits + mechanisms(R"("pdom", "tbc")"));
  refuses("sweep gpus.toml --dry-run",
          "point 'n on gtx480: splits 2, how pdom': --set divergence.max_splits=2: pdom and tbc do not use "
          "divergence.max_splits\n  used by dual-path, warp-subdivision, multi-path, multi-path-or");
  plan(gpu + splits + mechanisms(R"("pdom", "multi-path")"));
  EXPECT_THAT(invoke("sweep gpus.toml --dry-run").output, HasSubstr("4 points: 0 there, 4 to run"));
  plan(gpu + "set = [\"core.lanes.width=2\", \"core.lanes.organisation=tsimt\"]\n");
  refuses("sweep gpus.toml --dry-run", "tsimt does not use core.lanes.width\n  used by stsimt");
  plan(gpu + "set = [\"core.two_level_active=2\"]\n[[axis]]\nname = \"order\"\nset = \"core.scheduler\"\n" +
       "values = [\"gto\", \"lrr\"]\n");
  refuses("sweep gpus.toml --dry-run", "gto and lrr do not use core.two_level_active\n  used by two-level");
}

TEST_F(SweepTest, runs_what_a_longer_plan_has_besides) {
  invoke("sweep plan.toml");
  write_plan("[8, 16, 24]");
  EXPECT_THAT(invoke("sweep plan.toml --dry-run").output, HasSubstr("3 points: 2 there, 1 to run"));
  EXPECT_THAT(invoke("sweep plan.toml").output, HasSubstr("3 points: 3 there"));
}

TEST_F(SweepTest, notes_points_that_are_the_same) {
  write_plan("[8, 8]");
  const Printed printed = invoke("sweep plan.toml --dry-run");
  EXPECT_THAT(printed.errors, HasSubstr("1 point of the plan is the same as others of it"));
  EXPECT_THAT(printed.output, HasSubstr("1 point: 0 there, 1 to run"));
}

TEST_F(SweepTest, says_by_its_status_that_a_point_failed_and_tries_it_again_when_asked) {
  write_plan("[32768, 32]", "registers");  // its block does not fit on a core of 32
  EXPECT_EQ(invoke("sweep plan.toml").status, 1);
  EXPECT_THAT(invoke("sweep plan.toml --dry-run").output, HasSubstr("nothing to run"));
  EXPECT_THAT(invoke("sweep plan.toml --dry-run --retry error").output, HasSubstr("\n1 to run"));
  EXPECT_THAT(invoke("sweep plan.toml --dry-run --retry all").output, HasSubstr("\n1 to run"));
  EXPECT_THAT(invoke("sweep plan.toml --dry-run --retry time").output, HasSubstr("nothing to run"));
}

TEST_F(SweepTest, a_refused_plan_leaves_no_folder) {
  write_plan("[8]", "no_such_key");
  refuses("sweep plan.toml", "no_such_key");
  EXPECT_FALSE(std::filesystem::exists("plan.results"));
}

TEST_F(SweepTest, refuses_plans_engines_and_causes_that_there_are_not) {
  refuses("sweep none.toml", "none.toml: error: cannot be read");
  refuses("sweep plan.toml --retry bad-luck", "--retry bad-luck: there is no such cause\n  causes: error, ");
  EXPECT_THROW(invoke("sweep plan.toml --engine steam"), UsageError);
  EXPECT_THROW(invoke("sweep plan.toml --jobs 0"), UsageError);
}

TEST_F(SweepTest, tells_why_a_point_is_run_or_not) {
  const std::string why = "why --plan plan.toml " + point("8");
  EXPECT_THAT(invoke(why).output,
              AllOf(HasSubstr("number.ptx"), HasSubstr("core.warps=8"), Not(HasSubstr("core.warps=16"))));
  const std::string before = invoke(why).output;
  invoke("sweep plan.toml");
  EXPECT_NE(invoke(why).output, before);
  refuses("why --plan plan.toml zzz", "there is no point 'zzz', neither in the plan nor in ");
}

TEST_F(SweepTest, results_are_rows_of_a_database_with_an_axis_as_a_column) {
  invoke("sweep plan.toml");
  EXPECT_THAT(invoke("results").output,
              AllOf(HasSubstr("plan.results/results.sqlite"), HasSubstr("2 points, 0 failed")));
  EXPECT_THAT(invoke("results --results plan.results").output, HasSubstr("it was up to date"));
  EXPECT_EQ(query("SELECT warps FROM points ORDER BY warps DESC", {"--csv", "-"}), "warps\n16\n8\n");
  EXPECT_THAT(query("SELECT kernel, block FROM kernels"), HasSubstr("number"));
}

TEST_F(SweepTest, results_refuse_folders_and_questions_that_mean_nothing) {
  refuses("results", "there is no folder of results (NAME.results) here\n  name the folder by --results");
  refuses("results --results sweep", "sweep: holds no results of a sweep");
  invoke("sweep plan.toml");
  EXPECT_THAT([] { query("SELECT luck FROM points"); }, ThrowsMessage<Error>(HasSubstr("luck")));
  std::filesystem::create_directory("other.results");
  refuses("results", "there are several folders of results here");
}

TEST_F(SweepTest, an_answer_takes_not_the_place_of_the_database) {
  invoke("sweep plan.toml");
  EXPECT_THAT(
      [] {
        query("SELECT 1", {"--csv", "./plan.results/results.sqlite"});
      },
      ThrowsMessage<Error>(HasSubstr("results.sqlite: would be overwritten")));
}

TEST_F(SweepTest, a_report_shows_a_sweeps_runs_and_those_of_single_files) {
  invoke("sweep plan.toml");
  EXPECT_THAT(invoke("report plan.results -o page.html").output, StartsWith("page.html: 2 runs, "));
  invoke("run --json one.json " + number_kernel() + " --launch " + number_launch());
  EXPECT_THAT(invoke("report plan.results one.json -o page.html").output, StartsWith("page.html: 3 runs, "));
  EXPECT_THAT(invoke("report one.json -o page.html").output, StartsWith("page.html: 1 run, "));
  EXPECT_THAT(invoke("report one.json --title Numbers -o -").output,
              AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("<title>Numbers")));
}

TEST_F(SweepTest, a_report_refuses_what_is_no_result) {
  refuses("report plan.toml", "plan.toml: is not JSON, or only a part of it");
  refuses("report none.json", "none.json");
  EXPECT_THROW(invoke("report"), UsageError);
}

}  // namespace sweep_test
}  // namespace warpfork::cli
