#include "sweep/local_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>

#include "unit/test_folder.h"

namespace warpfork::sweep {
namespace local_engine_test {

using testing::ElementsAre;
using testing::Pair;

process::ChildCommand shell(const std::string& script) { return {"sh", {"-c", script}, {}, {}}; }

/// All ends by number: exit status, as a shell has it.
std::map<std::size_t, int> ends_of(LocalEngine& engine, std::size_t jobs) {
  std::map<std::size_t, int> ends;
  while (ends.size() < jobs)
    for (const JobEnd& end : engine.wait(std::chrono::seconds(10))) ends[end.number] = end.end.status;
  return ends;
}

struct EngineOfProcesses : testing::Test {
  process::DeferredSignals signals;
  std::string log = test_folder() + "/log";

  EngineOfProcesses() { std::filesystem::remove(log); }

  LocalEngine engine(LocalLimits limits) {
    return LocalEngine(
        limits, [](std::size_t number) { return std::uint64_t{number}; }, signals);
  }
  /// Its number when it starts and when it ends.
  Job job(std::size_t number) {
    return {number, shell("echo " + std::to_string(number) + " >> " + log + "; sleep 0.05; echo e >> " + log)};
  }
  std::string logged() {
    std::ifstream file(log);
    std::string text;
    for (std::string word; file >> word;) text += word;
    return text;
  }
};

TEST_F(EngineOfProcesses, tells_how_each_job_ended) {
  LocalEngine engine = this->engine({2, 100});
  engine.submit({{1, shell("exit 0")}, {2, shell("exit 3")}, {3, shell("kill -9 $$")}});
  EXPECT_THAT(ends_of(engine, 3), ElementsAre(Pair(1, 0), Pair(2, 3), Pair(3, 128 + SIGKILL)));
}

TEST_F(EngineOfProcesses, runs_jobs_in_a_row_where_only_one_may_run) {
  LocalEngine engine = this->engine({1, 100});
  engine.submit({job(1), job(2)});
  ends_of(engine, 2);
  EXPECT_EQ(logged(), "1e2e");
}

// Jobs 3 and 4 are expected to need 7 bytes together.
TEST_F(EngineOfProcesses, starts_no_more_than_memory_allows) {
  LocalEngine engine = this->engine({2, 6});
  engine.submit({job(3), job(4)});
  ends_of(engine, 2);
  EXPECT_EQ(logged(), "3e4e");
}

TEST_F(EngineOfProcesses, one_job_runs_however_much_it_needs) {
  LocalEngine engine = this->engine({2, 2});
  engine.submit({job(3)});
  EXPECT_THAT(ends_of(engine, 1), ElementsAre(Pair(3, 0)));
}

TEST_F(EngineOfProcesses, what_is_cancelled_is_gone) {
  LocalEngine engine = this->engine({1, 100});
  engine.submit({{1, shell("exec sleep 1000")}, job(2)});
  engine.wait(std::chrono::milliseconds(0));
  engine.cancel();
  EXPECT_TRUE(engine.wait(std::chrono::milliseconds(0)).empty());
  EXPECT_EQ(logged(), "");
}

}  // namespace local_engine_test
}  // namespace warpfork::sweep
