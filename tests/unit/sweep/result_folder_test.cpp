// What there is of a sweep's points, and what is remembered of their runs.
#include "sweep/result_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "sweep/content_hash.h"
#include "sweep/run_history.h"
#include "unit/test_folder.h"

namespace warpfork::sweep {
namespace result_folder_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

// FIPS 180-2, appendix B.1.
TEST(ContentHash, is_sha_256) {
  EXPECT_EQ(hash_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  std::ofstream(test_folder() + "/abc") << "abc";
  EXPECT_EQ(hash_of_file(test_folder() + "/abc"), hash_of("abc"));
  EXPECT_THAT([] { hash_of_file(test_folder() + "/none"); }, ThrowsMessage<Error>(HasSubstr("No such file")));
}

report::Json numbered(int n) { return {{"n", n}}; }

TEST(ResultFolder, takes_no_half_written_file_for_a_result) {
  ResultFolder folder(test_folder() + "/r");
  folder.take();
  folder.keep_point("a", numbered(1));
  std::ofstream(test_folder() + "/r/points/b.json.123.part") << "{";
  EXPECT_THAT(folder.points(), ElementsAre("a"));
}

TEST(ResultFolder, a_result_takes_the_place_of_a_failure) {
  ResultFolder folder(test_folder() + "/f");
  folder.take();
  folder.keep_failure("a", numbered(1));
  EXPECT_THAT(folder.failures(), ElementsAre("a"));
  folder.keep_point("a", numbered(2));
  EXPECT_THAT(folder.failures(), IsEmpty());
  EXPECT_EQ(folder.point("a").at("n"), 2);
}

TEST(ResultFolder, is_of_one_sweep_at_a_time) {
  ResultFolder first(test_folder() + "/l"), second(test_folder() + "/l");
  first.take();
  EXPECT_THAT([&] { second.take(); }, ThrowsMessage<Error>(HasSubstr("another sweep is at work here: process " +
                                                                     std::to_string(getpid()) + " on ")));
}

TEST(ResultFolder, waits_for_a_lock_that_is_about_to_go) {
  auto first = std::make_unique<ResultFolder>(test_folder() + "/w");
  first->take();
  std::jthread releases([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    first.reset();
  });
  ResultFolder second(test_folder() + "/w");
  EXPECT_NO_THROW(second.take());
}

Point point(const std::string& program, const std::string& machine) {
  Point point;
  point.program = program;
  point.machine = machine;
  return point;
}

TEST(RunHistory, expects_what_the_nearest_runs_took) {
  RunHistory history(test_folder() + "/times");
  EXPECT_FALSE(history.seconds(point("a", "m")).has_value());
  EXPECT_EQ(history.bytes(point("a", "m")), 512u << 20);
  history.add("1", point("a", "m"), 1, 100);
  history.add("2", point("a", "m"), 3, 50);
  history.add("3", point("b", "m"), 8, 70);
  EXPECT_DOUBLE_EQ(*history.seconds(point("a", "m")), 2);
  EXPECT_DOUBLE_EQ(*history.seconds(point("b", "other")), 8);
  EXPECT_DOUBLE_EQ(*history.seconds(point("c", "m")), 4);
  EXPECT_EQ(history.bytes(point("a", "other")), 100u);
}

TEST(RunHistory, is_read_back_but_for_a_torn_line) {
  const std::string file = test_folder() + "/torn";
  RunHistory(file).add("1", point("a", "m"), 1, 100);
  std::ofstream(file, std::ios::app) << R"({"id":"2","work":"a on m","seco)";
  RunHistory(file).add("3", point("a", "m"), 3, 100);
  EXPECT_DOUBLE_EQ(*RunHistory(file).seconds(point("a", "m")), 2);
}

}  // namespace result_folder_test
}  // namespace warpfork::sweep
