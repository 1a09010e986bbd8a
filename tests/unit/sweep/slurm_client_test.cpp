#include "sweep/slurm/slurm_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/sweep/slurm_commands.h"

namespace warpfork::sweep {
namespace slurm_client_test {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

TEST(SlurmTaskStates, are_read_line_by_line) {
  EXPECT_THAT(parse_task_states("a|0|RUNNING|None\na|11|PENDING|Resources\n"),
              ElementsAre(Pair(Pair("a", 0), "RUNNING"), Pair(Pair("a", 11), "PENDING")));
}

TEST(SlurmTaskStates, pass_over_what_is_no_task_of_an_array) {
  EXPECT_THAT(parse_task_states("a|N/A|RUNNING|None\nslurm: hello\n\na|3-9|PENDING|None\na|1|"), IsEmpty());
}

// As a controller has it that could not start a task on a node; other reasons are of a task that may still run.
TEST(SlurmTaskStates, tell_what_is_held_as_it_could_not_be_started) {
  const SlurmTaskStates states =
      parse_task_states("a|0|PENDING|launch failed requeued held\na|1|PENDING|JobHeldUser\n");
  EXPECT_FALSE(is_under_way(states.at({"a", 0})));
  EXPECT_TRUE(is_under_way(states.at({"a", 1})));
}

// squeue(1), "JOB STATE CODES".
TEST(SlurmTaskStates, are_ends_or_not) {
  for (const char* state : {"COMPLETED", "FAILED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "CANCELLED"})
    EXPECT_FALSE(is_under_way(state)) << state;
  for (const char* state : {"PENDING", "RUNNING", "COMPLETING", "REQUEUED", "SUSPENDED", "A_NEW_ONE"})
    EXPECT_TRUE(is_under_way(state)) << state;
}

struct ClientOfSlurm : testing::Test {
  process::DeferredSignals signals;
  SlurmCommands commands;
  SlurmClient client{signals};
};

TEST_F(ClientOfSlurm, submits_an_array_and_keeps_its_number) {
  const std::string folder = test_folder() + "/10%";
  std::filesystem::create_directories(folder);
  commands.answer("sbatch", "123;cluster", 0);
  EXPECT_EQ(client.submit("warpfork-1", 5, "the script", folder), "");
  EXPECT_THAT(commands.asked(),
              AllOf(HasSubstr("--job-name=warpfork-1 --array=0-4 "), HasSubstr("/10%%/%a.out the script \n")));
  std::string number;
  std::ifstream(folder + "/job") >> number;
  EXPECT_EQ(number, "123");
}

TEST_F(ClientOfSlurm, says_why_nothing_could_be_submitted) {
  commands.answer("sbatch", "sbatch: error: invalid partition specified: none", 1);
  EXPECT_EQ(client.submit("a", 1, "script", test_folder()), "sbatch: error: invalid partition specified: none");
}

// What slurm-wlm 22.05.8 says without its controller; an empty answer would mean that all tasks have gone.
TEST_F(ClientOfSlurm, takes_a_controller_that_is_away_for_no_answer) {
  commands.answer("squeue", "slurm_load_jobs error: Unable to contact slurm controller (connect failure)", 1);
  EXPECT_FALSE(client.task_states({"a"}).has_value());
  EXPECT_THAT(client.complaint(), HasSubstr("Unable to contact slurm controller"));
  commands.answer("squeue", "a|0|RUNNING|None", 0);
  EXPECT_THAT(client.task_states({"a", "b"}).value(), ElementsAre(Pair(Pair("a", 0), "RUNNING")));
  EXPECT_EQ(client.complaint(), "");
  EXPECT_THAT(commands.asked(), HasSubstr("--name=a,b "));
}

TEST_F(ClientOfSlurm, asks_the_accounts_where_there_are_any) {
  commands.answer("sacct", "Slurm accounting storage is disabled", 1);
  EXPECT_EQ(client.recorded_state("7", 2), "");
  commands.answer("sacct", "CANCELLED by 1000", 0);
  EXPECT_EQ(client.recorded_state("7", 2), "CANCELLED");
  EXPECT_THAT(commands.asked(), HasSubstr("--jobs=7_2 "));
}

TEST_F(ClientOfSlurm, cancels_all_tasks_or_those_that_wait) {
  EXPECT_EQ(client.cancel("a", false), "");
  EXPECT_EQ(client.cancel("b", true), "");
  EXPECT_EQ(commands.asked(), "scancel --me --name=a \nscancel --me --name=b --state=PENDING \n");
}

}  // namespace slurm_client_test
}  // namespace warpfork::sweep
