#include "simulation/kept_runs.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "process/temporary_folder.h"

namespace warpfork::simulation {
namespace {

const report::Json kOrigin = {{"scale", "small"}};
const report::Json kTotals = {{"cycles", 12}, {"ipc", 0.75}};

TEST(KeptRuns, are_there_again_in_a_folder_of_the_same_origin) {
  const process::TemporaryFolder parent;
  const auto folder = parent.path() / "made" / "for it";
  KeptRuns(folder, kOrigin).keep({"bfs", "simt-x 2x4"}, kTotals);
  const KeptRuns again(folder, kOrigin);
  EXPECT_EQ(again.find({"bfs", "simt-x 2x4"}), kTotals);
  EXPECT_EQ(again.find({"bfs", "ditva 2x4"}), std::nullopt);
  EXPECT_EQ(again.find({"fft", "simt-x 2x4"}), std::nullopt);
  EXPECT_TRUE(std::filesystem::is_directory(again.recordings()));
}

TEST(KeptRuns, are_told_apart_by_names_that_no_file_may_have) {
  const process::TemporaryFolder folder;
  const KeptRuns kept(folder.path(), kOrigin);
  kept.keep({"a/b", "c"}, kTotals);
  EXPECT_EQ(kept.find({"a/b", "c"}), kTotals);
  EXPECT_EQ(kept.find({"a%2Fb", "c"}), std::nullopt);
}

TEST(KeptRuns, are_told_apart_by_choice_and_recording) {
  const process::TemporaryFolder folder;
  const KeptRuns kept(folder.path(), kOrigin);
  kept.keep({"a", "c", "other", 0}, kTotals);
  kept.keep({"b", "c", "", 1}, kTotals);
  EXPECT_EQ(kept.find({"a", "c", "other", 0}), kTotals);
  EXPECT_EQ(kept.find({"b", "c", "", 1}), kTotals);
  EXPECT_EQ(kept.find({"a", "c"}), std::nullopt);
  EXPECT_EQ(kept.find({"b", "c", "", 2}), std::nullopt);
}

TEST(KeptRuns, of_another_origin_are_refused) {
  const process::TemporaryFolder folder;
  KeptRuns(folder.path(), kOrigin).keep({"bfs", "c"}, kTotals);
  EXPECT_THROW(KeptRuns(folder.path(), {{"scale", "paper"}}), Error);
  EXPECT_EQ(KeptRuns(folder.path(), kOrigin).find({"bfs", "c"}), kTotals);
}

TEST(KeptRuns, that_are_damaged_are_not_taken) {
  const process::TemporaryFolder folder;
  const KeptRuns kept(folder.path(), kOrigin);
  kept.keep({"bfs", "c"}, kTotals);
  std::ofstream(folder.path() / "bfs, c.json") << "{\"cycles\": 1";
  EXPECT_THROW(kept.find({"bfs", "c"}), Error);
}

}  // namespace
}  // namespace warpfork::simulation
