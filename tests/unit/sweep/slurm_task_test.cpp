// What array tasks do on their nodes, and what they tell.
#include "sweep/slurm/slurm_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "sweep/slurm/lost_task.h"
#include "sweep/slurm/slurm_array.h"
#include "sweep/slurm/slurm_client.h"
#include "unit/test_folder.h"

namespace warpfork::sweep {
namespace slurm_task_test {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(TaskJournal, is_read_on_from_where_reading_ended_and_by_whole_lines) {
  const fs::path file = test_folder() + "/j";
  TaskJournal journal(file);
  journal.begun("a");
  std::streamoff read = 0;
  EXPECT_THAT(read_journal(file, read), SizeIs(1));
  std::ofstream(file, std::ios::app) << R"({"begun":"tor)";
  EXPECT_THAT(read_journal(file, read), IsEmpty());
  std::ofstream(file, std::ios::app) << "n\"}\n";
  EXPECT_EQ(read_journal(file, read).at(0).key, "torn");
}

TEST(TaskJournal, tells_how_a_job_ended) {
  const fs::path file = test_folder() + "/e";
  TaskJournal(file).ended("a", JobEnd{0, {137, 9}, 2.5, 4096});
  std::streamoff read = 0;
  const JobEnd end = read_journal(file, read).at(0).end.value();
  EXPECT_EQ(end.end.status, 137);
  EXPECT_EQ(end.end.signal, 9);
  EXPECT_EQ(end.seconds, 2.5);
  EXPECT_EQ(end.peak_bytes, 4096u);
}

/// Jobs that write "run" to a file of their key.
struct TaskOfSlurm : testing::Test {
  process::DeferredSignals signals;
  fs::path folder = test_folder() + "/task";

  TaskOfSlurm() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  Job job(const std::string& key, const std::string& script) const {
    Job job{0, {"sh", {"-c", "echo run >> " + (folder / key).string() + "; " + script}, {{"A", "1"}}, {}}, key, {}};
    job.result = folder / (key + ".result");
    return job;
  }
  SlurmArray array(const std::vector<Job>& jobs) const {
    std::vector<const Job*> pointers;
    for (const Job& job : jobs) pointers.push_back(&job);
    return SlurmArray::make(folder, pointers, jobs.size(), {}, {"true"});
  }
  bool has_run(const std::string& key) const { return fs::exists(folder / key); }
};

TEST_F(TaskOfSlurm, runs_its_jobs_and_tells_their_ends) {
  SlurmArray array = this->array({job("a", "exit 0"), job("b", "test $A = 1 && exit 3")});
  EXPECT_EQ(run_slurm_task(array.folder(), 0, 1, signals), 0);
  std::vector<std::pair<std::string, int>> ends;
  for (const JournalEntry& entry : array.look()) ends.emplace_back(entry.key, entry.end->end.status);
  EXPECT_THAT(ends, ElementsAre(testing::Pair("a", 0), testing::Pair("b", 3)));
  EXPECT_TRUE(array.is_over());
  EXPECT_THAT(array.look(), IsEmpty());
}

TEST_F(TaskOfSlurm, passes_over_what_has_its_result) {
  SlurmArray array = this->array({job("a", "exit 0"), job("b", "exit 0")});
  std::ofstream(folder / "a.result") << "{}";
  run_slurm_task(array.folder(), 0, 1, signals);
  EXPECT_FALSE(has_run("a"));
  EXPECT_TRUE(has_run("b"));
  array.look();
  EXPECT_TRUE(array.is_over());
}

TEST_F(TaskOfSlurm, run_again_does_not_repeat_what_has_ended) {
  SlurmArray array = this->array({job("a", "exit 3"), job("b", "exit 0")});
  TaskJournal(new_journal(array.folder(), 0)).ended("a", JobEnd{0, {3, 0}, 1, 1});
  run_slurm_task(array.folder(), 0, 2, signals);
  EXPECT_FALSE(has_run("a"));
  EXPECT_TRUE(has_run("b"));
}

TEST_F(TaskOfSlurm, stops_when_it_has_been_called_off) {
  SlurmArray array = this->array({job("a", "rm -r " + folder.string() + "/warpfork-*"), job("b", "exit 0")});
  run_slurm_task(array.folder(), 0, 1, signals);
  EXPECT_TRUE(has_run("a"));
  EXPECT_FALSE(has_run("b"));
  EXPECT_EQ(run_slurm_task(array.folder(), 0, 1, signals), 0);
}

TEST(SlurmTaskIndex, is_what_slurm_says) {
  setenv("SLURM_ARRAY_TASK_ID", "12", 1);
  EXPECT_EQ(slurm_task_index(), 12u);
  unsetenv("SLURM_ARRAY_TASK_ID");
  EXPECT_THROW(slurm_task_index(), Error);
}

struct LostTask : testing::Test {
  SlurmArray::Task task{{"a", "b", "c"}, {}, {}, false, 0, "TIMEOUT"};
};

TEST_F(LostTask, that_had_ended_some_of_its_jobs_fails_none_of_the_others) {
  task.begun = {"a", "b"};
  task.ended = {"a"};
  EXPECT_FALSE(fails_with_task(task, "b", true));
  EXPECT_FALSE(fails_with_task(task, "c", true));
}

TEST_F(LostTask, that_had_ended_none_fails_those_that_it_had_begun) {
  task.begun = {"a"};
  EXPECT_TRUE(fails_with_task(task, "a", true));
  EXPECT_FALSE(fails_with_task(task, "b", true));
}

TEST_F(LostTask, that_had_begun_none_fails_all_unless_slurm_or_a_node_is_to_blame) {
  EXPECT_TRUE(fails_with_task(task, "a", true));
  EXPECT_FALSE(fails_with_task(task, "a", false));
  task.state = kLaunchFailed;
  EXPECT_FALSE(fails_with_task(task, "a", true));
}

TEST_F(LostTask, that_somebody_cancelled_fails_all) {
  task.state = "CANCELLED";
  task.ended = {"a"};
  EXPECT_TRUE(fails_with_task(task, "b", true));
}

TEST_F(LostTask, tells_its_cause_by_its_state) {
  EXPECT_EQ(failure_of_task(task, "").cause, "time");
  for (const auto& [state, cause] : std::initializer_list<std::pair<const char*, const char*>>{
           {"OUT_OF_MEMORY", "memory"}, {"NODE_FAIL", "node"}, {"CANCELLED", "cancelled"}, {"FAILED", "error"}}) {
    task.state = state;
    EXPECT_EQ(failure_of_task(task, "said").cause, cause);
    EXPECT_EQ(failure_of_task(task, "said").log, "said");
  }
}

// Slurm keeps no trace of a task that was cancelled before it ran.
TEST_F(LostTask, without_a_trace_was_cancelled_if_it_had_not_begun) {
  task.state = "";
  EXPECT_EQ(failure_of_task(task, "").cause, "cancelled");
  task.begun = {"a"};
  EXPECT_EQ(failure_of_task(task, "").cause, "node");
}

}  // namespace slurm_task_test
}  // namespace warpfork::sweep
