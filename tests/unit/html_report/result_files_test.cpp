#include "html_report/result_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "base/error.h"
#include "unit/html_report/sample_results.h"
#include "unit/test_folder.h"

namespace warpfork::html_report {
namespace result_files_test {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

fs::path written(const std::string& name, const std::string& text) {
  const fs::path file = fs::path(test_folder()) / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
  return file;
}

Results read(const fs::path& file) { return read_results(std::vector{file}); }

std::string error_of(const fs::path& file) {
  try {
    read(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ResultFiles, of_a_comparison_are_its_runs_in_order) {
  const Json document = {{"schema", 1}, {"results", {gpu_result("bfs", "pdom", 8), gpu_result("bfs", "tbc", 4)}}};
  const Results results = read(written("compare.json", document.dump()));
  ASSERT_EQ(results.runs.size(), 2u);
  EXPECT_EQ(results.runs[1].document["totals"]["cycles"], 4);
  EXPECT_EQ(results.runs[1].file, "compare.json");
}

TEST(ResultFiles, of_a_sweep_are_the_points_of_its_folder) {
  const Json point = {{"schema", 1}, {"point", {{"axes", Json::object()}}}, {"result", gpu_result("bfs", "pdom", 8)}};
  written("p.results/points/b.json", point.dump());
  written("p.results/points/a.json", point.dump());
  written("p.results/failures/c.json", "{}");
  const Results results = read(fs::path(test_folder()) / "p.results");
  ASSERT_EQ(results.runs.size(), 2u);
  EXPECT_EQ(results.runs[0].file, "a.json");
  EXPECT_EQ(results.failures, 1u);
}

TEST(ResultFiles, tell_the_file_that_is_none) {
  EXPECT_THAT(error_of(written("other.json", "{\"schema\": 1, \"name\": \"x\"}")),
              AllOf(HasSubstr("other.json: is no result of ours"), HasSubstr("--json")));
  EXPECT_THAT(error_of(written("list.json", "[1, 2]")), HasSubstr("list.json: is no result of ours"));
  EXPECT_THAT(error_of(written("half.json", "{\"schema\": 1")), HasSubstr("half.json: is not JSON"));
  EXPECT_THAT(error_of("nowhere.json"), HasSubstr("nowhere.json"));
}

TEST(ResultFiles, of_another_schema_are_refused) {
  Json document = gpu_result("bfs", "pdom", 8);
  document["schema"] = 2;
  EXPECT_THAT(error_of(written("new.json", document.dump())), HasSubstr("schema 2"));
}

TEST(ResultFiles, name_a_folder_without_points) {
  fs::create_directories(fs::path(test_folder()) / "empty");
  EXPECT_THAT(error_of(fs::path(test_folder()) / "empty"), HasSubstr("empty: this folder holds no results"));
}

TEST(ResultFiles, of_a_sweep_whose_points_all_failed_say_so_and_how_to_see_why) {
  for (const char* failure : {"f.results/failures/0f3a.json", "f.results/failures/c0de.json"}) written(failure, "{}");
  const fs::path failed = fs::path(test_folder()) / "f.results";
  EXPECT_THAT(error_of(failed), AllOf(HasSubstr("f.results: all of its points failed (2 points)"),
                                      HasSubstr("`warpfork why 0f3a --results " + failed.string() + "` tells why")));
  const Json document = gpu_result("bfs", "pdom", 8);
  const Results results = read_results(std::vector{failed, written("good.json", document.dump())});
  EXPECT_EQ(results.runs.size(), 1u);
  EXPECT_EQ(results.failures, 2u);
}

TEST(ResultFiles, without_any_run_are_refused) {
  EXPECT_THAT(error_of(written("none.json", "{\"schema\": 1, \"results\": []}")), HasSubstr("no result to report"));
}

}  // namespace result_files_test
}  // namespace warpfork::html_report
