#include "process/recording_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "process/emulator.h"
#include "process/recording_progress.h"
#include "unit/test_folder.h"
#include "x86/recording.h"

namespace warpfork::process {
namespace recording_run_test {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::ThrowsMessage;

/// A guest of the tests of x86, to be recorded into a folder of its own.
class RecordProgram : public testing::Test {
 protected:
  RecordProgram() {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    options_.output = (folder_ / "it.wft").string();
  }
  void SetUp() override {
    try {
      find_emulator(DeferredSignals());
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
  void guest(const std::string& name, std::vector<std::string> arguments = {}) {
    options_.program = fmt::format("{}/{}", TEST_GUESTS, name);
    options_.arguments = std::move(arguments);
  }
  /// What is said when it is recorded; nothing may then be left behind.
  std::string refusal() {
    try {
      record_program(options_);
    } catch (const Error& error) {
      EXPECT_THAT(names(), IsEmpty());
      return error.what();
    }
    return "recorded";
  }
  std::string refusal_with(const std::string& folder);
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
    return names;
  }

  fs::path folder_ = fs::path(test_folder()) / "records";
  RecordOptions options_;
};

TEST_F(RecordProgram, leaves_the_recording_alone) {
  guest("threads", {"3", "2"});
  options_.threads = 5;  // three that work, one that sleeps, and the first
  const RecordOutcome outcome = record_program(options_);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.threads, 5u);
  EXPECT_THAT(names(), testing::ElementsAre("it.wft"));
  const x86::Recording recording(options_.output);
  recording.verify();
  EXPECT_EQ(recording.facts().program, options_.program);
  EXPECT_EQ(recording.facts().arguments, options_.arguments);
}

TEST_F(RecordProgram, tells_the_programs_exit_status) {
  guest("endings", {"status"});
  EXPECT_EQ(record_program(options_).status, 3);
  EXPECT_TRUE(fs::exists(options_.output));
}

TEST_F(RecordProgram, records_not_what_is_forked_off) {
  guest("endings", {"fork"});
  EXPECT_EQ(record_program(options_).threads, 1u);
}

TEST_F(RecordProgram, refuses_programs_that_crash) {
  guest("endings", {"crash"});
  EXPECT_THAT(refusal(), HasSubstr("ended by signal 11 (Segmentation fault) under the recorder"));
  guest("endings", {"illegal"});
  EXPECT_THAT(refusal(), AllOf(HasSubstr("no AVX-512: build the program with -mavx2, not with -march=native"),
                               HasSubstr("or it ended itself so, as by __builtin_trap()")));
}

// The emulator would take another element. A program that only holds such an instruction may be recorded.
TEST_F(RecordProgram, refuses_programs_that_gather_by_register4) {
  guest("endings", {"gather"});
  EXPECT_THAT(refusal(), AllOf(HasSubstr(", gather+"), HasSubstr("endings.c:"), HasSubstr("vpgatherdd ymm2"),
                               HasSubstr("build the program with -mno-avx2")));
  guest("endings", {"status"});
  EXPECT_EQ(record_program(options_).status, 3);
}

TEST_F(RecordProgram, refuses_a_program_that_replaces_itself) {
  guest("endings", {"exec"});
  EXPECT_THAT(refusal(), HasSubstr("replaced itself by another (exec): record that one"));
}

TEST_F(RecordProgram, refuses_what_it_cannot_record) {
  options_.program = "/bin/true";
  EXPECT_THAT(refusal(), HasSubstr("/bin/true: is linked dynamically"));
  options_.program = "no_such_program";
  EXPECT_THAT(refusal(), HasSubstr("no_such_program: there is no such program"));
}

TEST_F(RecordProgram, takes_the_place_of_a_recording_and_of_no_other_file) {
  guest("endings", {"status"});
  std::ofstream(options_.output) << "notes of a month";
  EXPECT_THAT([&] { record_program(options_); },
              ThrowsMessage<Error>(HasSubstr("it.wft: would be overwritten, and is no recording")));
  EXPECT_EQ(fs::file_size(options_.output), 16u);
  std::ofstream(options_.output).close();  // as mktemp leaves it
  EXPECT_EQ(record_program(options_).status, 3);
  EXPECT_EQ(record_program(options_).status, 3);
}

TEST_F(RecordProgram, refuses_another_number_of_threads) {
  guest("threads", {"2", "1"});
  options_.threads = 3;
  EXPECT_THAT(refusal(), HasSubstr("4 threads ran in what was recorded, not 3 (--threads)"));
}

TEST_F(RecordProgram, refuses_a_symbol_that_is_never_entered) {
  guest("endings", {"status"});
  options_.request.start = "on_signal";
  EXPECT_THAT(refusal(), HasSubstr("never came to 'on_signal' (--start)"));
}

/// What is said when PATH is this folder alone.
std::string RecordProgram::refusal_with(const std::string& folder) {
  guest("endings", {"status"});
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder.c_str(), 1);
  const std::string text = refusal();
  setenv("PATH", path.c_str(), 1);
  return text;
}

TEST_F(RecordProgram, says_that_the_emulator_is_missing) {
  EXPECT_THAT(refusal_with("/nowhere"),
              AllOf(HasSubstr("qemu-x86_64: not found"), HasSubstr("install the Debian package qemu-user")));
}

// As that of Debian 13, whose help names no such option.
TEST_F(RecordProgram, says_that_the_emulator_takes_no_plugins) {
  const fs::path emulator = fs::path(test_folder()) / "without_plugins" / "qemu-x86_64";
  fs::create_directory(emulator.parent_path());
  std::ofstream(emulator) << "#!/bin/sh\necho '-perfmap    QEMU_PERFMAP'\n";
  fs::permissions(emulator, fs::perms::owner_all);
  EXPECT_THAT(refusal_with(emulator.parent_path()), HasSubstr("qemu-x86_64: takes no plugins; the recorder is one\n"));
}

// A full disk is not taken for an emulator without plugins: what this one says of itself gets lost there.
TEST_F(RecordProgram, asks_the_emulator_without_room_beside_the_recording) {
  const fs::path emulator = fs::path(test_folder()) / "silent_on_disk" / "qemu-x86_64";
  fs::create_directory(emulator.parent_path());
  std::ofstream(emulator) << fmt::format("#!/bin/sh\n[ /proc/self/fd/1 -ef '{}'/*/emulator ] || echo ' -plugin'\n",
                                         folder_.string());
  fs::permissions(emulator, fs::perms::owner_all);
  EXPECT_THAT(refusal_with(emulator.parent_path()), Not(HasSubstr("takes no plugins")));
}

TEST_F(RecordProgram, says_that_it_cannot_write_there) {
  guest("endings", {"status"});
  options_.output = "/nowhere/it.wft";
  EXPECT_THAT(refusal(), HasSubstr("/nowhere/it.wft: cannot be written: there is no folder /nowhere"));
}

// A recording takes the place of the file that has its name.
TEST_F(RecordProgram, refuses_to_replace_what_is_no_file) {
  guest("threads", {"1", "1"});
  options_.output = folder_.string();
  EXPECT_THAT(refusal(), HasSubstr("is no ordinary file"));
}

TEST_F(RecordProgram, refuses_standard_output) {
  guest("threads", {"1", "1"});
  options_.output = "-";
  EXPECT_THAT(refusal(), HasSubstr("-o -: a recording is a file, and cannot be standard output"));
  EXPECT_FALSE(fs::exists("-"));
}

TEST(RecordingProgress, says_how_far_it_is) {
  EXPECT_EQ(recording_progress_text(1234567, std::chrono::seconds(12)), "recording: 1 234 567 instructions, 12 s");
}

}  // namespace recording_run_test
}  // namespace warpfork::process
