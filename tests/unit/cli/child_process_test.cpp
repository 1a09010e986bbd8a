#include "cli/child_process.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/error.h"
#include "cli/temporary_folder.h"

namespace warpfork::cli {
namespace {

TEST(ChildProcess, gets_arguments_as_they_are_and_its_own_environment) {
  const TemporaryFolder folder;
  ChildCommand command{"sh", {"-c", "echo \"$1|$WORD\"", "sh", "a b;$(c)"}, {{"WORD", "w"}}, folder.path() / "out"};
  EXPECT_EQ(run_child(command).status, 0);
  std::ifstream stream(*command.output);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "a b;$(c)|w\n");
}

TEST(ChildProcess, reports_exit_status_and_signal) {
  EXPECT_EQ(run_child({"sh", {"-c", "exit 7"}, {}, {}}).status, 7);
  const ChildEnd killed = run_child({"sh", {"-c", "kill -9 $$"}, {}, {}});
  EXPECT_EQ(killed.signal, 9);
  EXPECT_EQ(killed.status, 137);
}

TEST(ChildProcess, a_program_that_is_not_there_is_an_error) {
  EXPECT_THROW(run_child({"./no-such-program", {}, {}, {}}), Error);
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

}  // namespace
}  // namespace warpfork::cli
