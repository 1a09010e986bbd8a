#include "process/child_process.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "process/temporary_folder.h"

namespace warpfork::process {
namespace child_process_test {

class ChildProcess : public testing::Test {
 protected:
  DeferredSignals signals_;
};

TEST_F(ChildProcess, gets_arguments_as_they_are_and_its_own_environment) {
  const TemporaryFolder folder;
  ChildCommand command{"sh", {"-c", "echo \"$1|$WORD\"", "sh", "a b;$(c)"}, {{"WORD", "w"}}, folder.path() / "out"};
  EXPECT_EQ(run_child(command, signals_).status, 0);
  std::ifstream stream(*command.output);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "a b;$(c)|w\n");
}

TEST_F(ChildProcess, reports_exit_status_and_signal) {
  EXPECT_EQ(run_child({"sh", {"-c", "exit 7"}, {}, {}}, signals_).status, 7);
  const ChildEnd killed = run_child({"sh", {"-c", "kill -9 $$"}, {}, {}}, signals_);
  EXPECT_EQ(killed.signal, 9);
  EXPECT_EQ(killed.status, 137);
}

TEST_F(ChildProcess, a_program_that_is_not_there_is_an_error) {
  EXPECT_THROW(run_child({"./no-such-program", {}, {}, {}}, signals_), Error);
}

TEST_F(ChildProcess, a_program_that_only_lies_in_this_folder_is_an_error_with_a_hint) {
  try {
    run_child({"README.md", {}, {}, {}}, signals_);  // tests run at the root of the sources
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "README.md: cannot be run: No such file or directory\n  to run the one in this folder: ./README.md");
  }
}

TEST_F(ChildProcess, a_folder_is_an_error_that_says_so) {
  for (const char* folder : {"docs", "./docs"}) try {
      run_child({folder, {}, {}, {}}, signals_);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), std::string(folder) + ": cannot be run: it is a folder; name a program in it");
    }
}

/// A process that runs a child in a temporary folder as `warpfork run` does, as long as nobody ends it, the two in a
/// group of their own. Orphans become the test's own, so that it sees how they end.
class RunningChild : public testing::Test {
 protected:
  void SetUp() override {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    warpfork_ = fork();
    if (warpfork_ == 0) run();
    for (int i = 0; i < 1000 && !has_said(); ++i) usleep(10'000);
    ASSERT_GT(child_, 0);
  }
  void TearDown() override { std::filesystem::remove(said_); }

  [[noreturn]] void run() const {
    setpgid(0, 0);
    std::signal(SIGINT, SIG_DFL);  // a shell's & has it ignored
    {
      const DeferredSignals signals;
      const TemporaryFolder folder;
      const std::string script = R"(echo "$$ $1" > "$2"; exec sleep 100)";
      run_child({"sh", {"-c", script, "sh", folder.path().string(), said_}, {}, {}}, signals);
    }
    _exit(0);
  }

  bool has_said() {
    std::ifstream said(said_);
    return said >> child_ && std::getline(said >> std::ws, path_);
  }

  static int signal_that_ended(pid_t process) {
    int status = 0;
    return waitpid(process, &status, 0) == process && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }

  std::string said_ = testing::TempDir() + "warpfork_child_" + std::to_string(getpid()), path_;
  pid_t warpfork_ = 0, child_ = 0;
};

TEST_F(RunningChild, gets_the_signal_that_asks_us_to_end_and_leaves_nothing) {
  kill(warpfork_, SIGTERM);
  EXPECT_EQ(signal_that_ended(warpfork_), SIGTERM);
  EXPECT_EQ(kill(child_, 0), -1);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(RunningChild, dies_of_an_interrupt_from_the_terminal_and_so_do_we) {
  kill(-warpfork_, SIGINT);  // to both at once, as the terminal; that it did not come from the kernel does not matter
  EXPECT_EQ(signal_that_ended(warpfork_), SIGINT);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(RunningChild, is_killed_when_we_are_killed) {
  kill(warpfork_, SIGKILL);
  EXPECT_EQ(signal_that_ended(warpfork_), SIGKILL);
  EXPECT_EQ(signal_that_ended(child_), SIGKILL);
  std::filesystem::remove_all(path_);  // nobody was left to do it
}

TEST_F(ChildProcess, that_outlives_a_signal_decides_for_itself) {
  const std::string script = "trap 'exit 5' TERM; kill -TERM $PPID; while :; do sleep 0.01; done";
  EXPECT_EQ(run_child({"sh", {"-c", script}, {}, {}}, signals_).status, 5);
}

TEST(TemporaryFolder, goes_with_its_contents) {
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    std::ofstream(path / "file") << "x";
    EXPECT_TRUE(std::filesystem::exists(path / "file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace child_process_test
}  // namespace warpfork::process
