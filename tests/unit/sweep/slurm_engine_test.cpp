#include "sweep/slurm/slurm_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/error.h"
#include "sweep/slurm/slurm_task.h"
#include "unit/sweep/slurm_commands.h"

namespace warpfork::sweep {
namespace slurm_engine_test {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::ThrowsMessage;

/// Jobs 1, 2, … with keys "1", "2", … of as many MiB each.
struct EngineOfSlurm : testing::Test {
  process::DeferredSignals signals;
  SlurmCommands commands;
  SlurmOptions options;

  EngineOfSlurm() {
    options.folder = test_folder() + "/arrays";
    options.warpfork = "/bin/warpfork";
    options.chunk = 2;
    options.ask_every = std::chrono::milliseconds(0);
    fs::remove_all(options.folder);
  }
  SlurmEngine engine() {
    return SlurmEngine(
        options, [](std::size_t number) { return std::uint64_t{number} << 20; }, signals);
  }
  static std::vector<Job> jobs(std::size_t number) {
    std::vector<Job> jobs;
    for (std::size_t i = 1; i <= number; ++i) jobs.push_back({i, {"true", {}, {}, {}}, std::to_string(i), "/none"});
    return jobs;
  }
  std::vector<SlurmArray> arrays() { return SlurmArray::find(options.folder); }
  SlurmArray array() { return arrays().at(0); }
  std::string script() {
    std::ostringstream text;
    text << std::ifstream(array().script()).rdbuf();
    return text.str();
  }
  void answer_for_task(std::size_t task, const std::string& state) {
    commands.answer("squeue", array().name() + "|" + std::to_string(task) + "|" + state + "|None", 0);
  }
  /// Numbers of the jobs whose ends the engine tells within so many questions.
  static std::vector<std::size_t> ends(Engine& engine, unsigned questions) {
    std::vector<std::size_t> numbers;
    for (unsigned i = 0; i < questions; ++i)
      for (const JobEnd& end : engine.wait(std::chrono::milliseconds(0))) numbers.push_back(end.number);
    return numbers;
  }
};

TEST_F(EngineOfSlurm, packs_jobs_into_the_tasks_of_an_array) {
  engine().submit(jobs(5));
  EXPECT_THAT(commands.asked(), HasSubstr("--array=0-2 "));
  EXPECT_THAT(array().tasks(), SizeIs(3));
  EXPECT_THAT(array().tasks()[2].keys, ElementsAre("5"));
}

// Two at a time of at most 8 MiB, a quarter more, and 64 MiB for the task itself: 84 MiB.
TEST_F(EngineOfSlurm, asks_for_the_memory_of_its_largest_jobs_and_lets_the_user_have_the_last_word) {
  options.at_a_time = 2;
  options.arguments = {"--mem=0 --time=5"};
  engine().submit(jobs(8));
  EXPECT_EQ(script(),
            "#!/bin/sh\n#SBATCH --requeue --cpus-per-task=2 --mem=84M\n#SBATCH --mem=0 --time=5\n"
            "exec '/bin/warpfork' 'sweep-task' '2' '" +
                array().folder().string() + "'\n");
}

// 1,000 tasks to an array: MaxArraySize is 1,001 by default (slurm.conf).
TEST_F(EngineOfSlurm, makes_several_arrays_of_many_tasks) {
  options.chunk = 1;
  engine().submit(jobs(1001));
  EXPECT_THAT(arrays(), SizeIs(2));
}

TEST_F(EngineOfSlurm, makes_no_more_than_200_tasks_by_itself) {
  options.chunk = 0;
  engine().submit(jobs(201));
  EXPECT_THAT(array().tasks(), SizeIs(101));
}

TEST_F(EngineOfSlurm, waits_for_what_another_sweep_has_submitted) {
  engine().submit(jobs(2));
  SlurmEngine next = engine();
  next.submit(jobs(3));  // the third is new
  EXPECT_THAT(arrays(), SizeIs(2));
  SlurmEngine last = engine();
  last.submit(jobs(3));
  EXPECT_THAT(arrays(), SizeIs(2));
  for (const SlurmArray& one : arrays()) run_slurm_task(one.folder(), 0, 1, signals);
  EXPECT_THAT(ends(last, 1), testing::UnorderedElementsAre(1, 2, 3));
  last.settle();
  EXPECT_THAT(arrays(), IsEmpty());
}

TEST_F(EngineOfSlurm, takes_no_failure_of_the_controller_for_one_of_jobs) {
  SlurmEngine engine = this->engine();
  engine.submit(jobs(2));
  commands.answer("squeue", "Unable to contact slurm controller", 1);
  EXPECT_THAT(ends(engine, 5), IsEmpty());
  EXPECT_THAT(engine.remark(), HasSubstr("Unable to contact slurm controller"));
  answer_for_task(0, "RUNNING");
  EXPECT_THAT(ends(engine, 5), IsEmpty());
  EXPECT_EQ(engine.remark(), "Slurm: 1 task runs, 0 wait");
}

TEST_F(EngineOfSlurm, submits_again_what_a_lost_task_had_not_begun) {
  SlurmEngine engine = this->engine();
  engine.submit(jobs(2));
  TaskJournal(new_journal(array().folder(), 0)).begun("1");
  answer_for_task(0, "TIMEOUT");
  EXPECT_THAT(ends(engine, 1), IsEmpty());  // once may be too early to tell
  const std::vector<JobEnd> told = engine.wait(std::chrono::milliseconds(0));
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].number, 1u);
  EXPECT_EQ(told[0].failure.value().cause, "time");
  ends(engine, 1);
  EXPECT_THAT(arrays(), SizeIs(2));
}

TEST_F(EngineOfSlurm, submits_later_what_slurm_does_not_take_now) {
  options.chunk = 1;
  SlurmEngine engine = this->engine();
  engine.submit(jobs(1));
  answer_for_task(0, "RUNNING");
  commands.answer("sbatch", "QOSMaxSubmitJobPerUserLimit", 1);
  engine.submit(jobs(2));
  EXPECT_THAT(ends(engine, 2), IsEmpty());
  EXPECT_THAT(arrays(), SizeIs(1));
  commands.answer("sbatch", "8", 0);
  ends(engine, 1);
  EXPECT_THAT(arrays(), SizeIs(2));
}

TEST_F(EngineOfSlurm, refuses_where_slurm_takes_nothing_at_all) {
  commands.answer("sbatch", "invalid partition", 1);
  SlurmEngine engine = this->engine();
  EXPECT_THAT([&] { engine.submit(jobs(1)); }, ThrowsMessage<Error>(HasSubstr("no jobs of this sweep: invalid part")));
  EXPECT_THAT(arrays(), IsEmpty());
}

TEST_F(EngineOfSlurm, leaves_nothing_when_it_is_cancelled) {
  SlurmEngine engine = this->engine();
  engine.submit(jobs(3));
  const std::string name = array().name();
  engine.cancel();
  EXPECT_THAT(commands.asked(), HasSubstr("scancel --me --name=" + name + " \n"));
  EXPECT_THAT(arrays(), IsEmpty());
}

TEST_F(EngineOfSlurm, says_what_goes_on_where_it_cannot_cancel) {
  SlurmEngine engine = this->engine();
  engine.submit(jobs(3));
  commands.answer("scancel", "no controller", 1);
  EXPECT_THAT([&] { engine.cancel(); }, ThrowsMessage<Error>(HasSubstr("`scancel --name=" + array().name() + "`")));
  EXPECT_THAT(arrays(), SizeIs(1));
}

}  // namespace slurm_engine_test
}  // namespace warpfork::sweep
