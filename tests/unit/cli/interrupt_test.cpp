// What a command leaves that is interrupted while it simulates: what is whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "unit/cli/invocation.h"

namespace warpfork::cli {
namespace interrupt_test {

namespace fs = std::filesystem;

struct Interrupted {
  const char* line;
  std::vector<std::string> left;
};

void PrintTo(const Interrupted& interrupted, std::ostream* out) { *out << interrupted.line; }

class Interrupt : public testing::TestWithParam<Interrupted> {
 protected:
  Interrupt() {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    kernel_ = file_with("long.ptx",
                        ".version 6.0\n.target sm_20\n.address_size 64\n.visible .entry number(.param .u64 out) {\n"
                        ".reg .b32 %r; .reg .pred %p; mov.u32 %r, 0;\nAGAIN: add.u32 %r, %r, 1;\n"
                        "setp.ne.u32 %p, %r, 2000000000;\n@%p bra AGAIN; ret; }\n");
  }

  /// Names in the folder; gtest keeps what is printed there, too.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
      if (!entry.path().filename().string().starts_with("gtest_")) names.push_back(entry.path().filename());
    return names;
  }

  /// The command in a process of its own, with temporary files in the folder.
  pid_t start(const std::string& line) const {
    const pid_t child = fork();
    if (child != 0) return child;
    for (const char* variable : {"TMPDIR", "TEST_TMPDIR"}) setenv(variable, (folder_.string() + "/").c_str(), 1);
    fs::current_path(folder_);
    try {
      invoke(line + " " + kernel_ + " --launch " + number_launch());
    } catch (...) {
    }
    _exit(0);
  }

  const fs::path folder_ = test_folder() + "/interrupted";
  std::string kernel_;
};

TEST_P(Interrupt, leaves_nothing_that_is_not_whole) {
  const pid_t child = start(GetParam().line);
  while (names().empty() && waitpid(child, nullptr, WNOHANG) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(child, SIGINT);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WTERMSIG(status), SIGINT);
  EXPECT_EQ(names(), GetParam().left);
}

INSTANTIATE_TEST_SUITE_P(Commands, Interrupt,
                         testing::Values(Interrupted{"run --trace x.json.gz", {}},
                                         Interrupted{"run --trace x.json", {}},
                                         Interrupted{"run --save-launch 1 -o x.wfl", {"x.wfl"}},
                                         Interrupted{"explain", {}}, Interrupted{"step", {}}));

}  // namespace interrupt_test
}  // namespace warpfork::cli
