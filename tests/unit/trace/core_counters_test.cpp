// Counters over stretches of 10 cycles.
#include "trace/core_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "drawn.h"
#include "unit/test_folder.h"

namespace warpfork::trace {
namespace core_counters_test {

using report::StallCause;
using ::testing::ElementsAre;
using ::testing::Pair;

class CoreCountersTest : public ::testing::Test {
 protected:
  CoreCountersTest() : file_(begun()), writer_(file_), counters_(writer_, 2, 10, nullptr) {
    writer_.name_process(2, "core");
  }

  std::vector<std::pair<Cycle, double>> values(const std::string& counter, const char* key) {
    writer_.flush();
    std::vector<std::pair<Cycle, double>> found;
    for (const nlohmann::json& event : Drawn::of_events(file_).counter("core", counter))
      found.emplace_back(event["ts"].get<Cycle>(), event["args"][key].get<double>());
    return found;
  }

  static std::string begun() {
    const std::string file = test_folder() + "/counters.json";
    std::ofstream{file};
    return file;
  }

  const std::string file_;
  EventWriter writer_;
  CoreCounters counters_;
};

TEST_F(CoreCountersTest, stand_from_the_begin_of_a_stretch_and_end_with_the_launch) {
  counters_.issued(3, 32);
  counters_.issued(9, 16);
  counters_.issued(10, 8);
  counters_.finish(15);
  EXPECT_THAT(values("IPC", "threads"), ElementsAre(Pair(0, 4.8), Pair(10, 1.6), Pair(15, 0.0)));  // of 10, of 5 cycles
  EXPECT_THAT(values("active lanes", "of an issue"), ElementsAre(Pair(0, 24.0), Pair(10, 8.0), Pair(15, 0.0)));
}

TEST_F(CoreCountersTest, part_what_lasts_at_the_end_of_a_stretch) {
  counters_.stalled(5, 10, StallCause::Memory);
  counters_.occupied(5, 10, 2);
  counters_.finish(20);
  EXPECT_THAT(values("live warps", "warps"), ElementsAre(Pair(0, 1.0), Pair(20, 0.0)));
  EXPECT_THAT(values("stall cycles", "memory"), ElementsAre(Pair(0, 5.0), Pair(20, 0.0)));
}

TEST_F(CoreCountersTest, are_written_only_where_they_change) {
  counters_.occupied(0, 1000, 3);
  counters_.finish(1000);
  EXPECT_THAT(values("live warps", "warps"), ElementsAre(Pair(0, 3.0), Pair(1000, 0.0)));
}

}  // namespace core_counters_test
}  // namespace warpfork::trace
