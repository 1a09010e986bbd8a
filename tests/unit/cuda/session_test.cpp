#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "cuda/session/session_request.h"
#include "cuda/session/session_result.h"
#include "cuda/session/session_writer.h"

namespace warpfork::cuda {
namespace session_test {

report::LaunchRecord launch_of(Cycle cycles) {
  report::LaunchRecord launch;
  launch.timed = true;
  launch.cycles = cycles;
  return launch;
}

/// Files of this process have at most so many bytes while it lives: a write beyond them fails, as on a full disk.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

class Session : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return folder_ + "/" + name; }

  std::string folder_ = testing::TempDir() + "warpfork_session_" + std::to_string(getpid());
};

TEST_F(Session, of_a_process_without_memory_has_failed) {
  SessionWriter(path("result.jsonl"), 12000).memory_is_short();
  const SessionResult result = read_session(path("result.jsonl"));
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors.front(), "error: not enough memory");
  EXPECT_FALSE(result.complete);
}

TEST_F(Session, request_comes_back_as_it_was_saved) {
  SessionRequest request;
  request.result_file = "/tmp/result";
  request.device.name = "a GPU";
  request.device.core_count = 3;
  request.simulation = {{"divergence", "pdom"}};
  save(request, path("request.json"));
  const SessionRequest loaded = load_request(path("request.json"));
  EXPECT_EQ(loaded.result_file, "/tmp/result");
  EXPECT_EQ(loaded.device.name, "a GPU");
  EXPECT_EQ(loaded.device.core_count, 3);
  EXPECT_EQ(loaded.simulation.at("divergence"), "pdom");
}

TEST_F(Session, missing_or_foreign_request_is_an_error_with_its_path) {
  EXPECT_THROW(load_request(path("none.json")), Error);
  std::ofstream(path("other.json")) << "{}";
  EXPECT_THROW(load_request(path("other.json")), Error);
}

TEST_F(Session, finished_program_leaves_a_complete_result) {
  {
    SessionWriter writer(path("result"), 12000);
    writer.printed();
    writer.launch(launch_of(7));
    writer.error("it failed");
    writer.refused("it cannot be");
    writer.short_of_memory("no room");
    writer.end({"cudaBindTexture"});
  }
  const SessionResult result = read_session(path("result"));
  EXPECT_TRUE(result.used);
  EXPECT_TRUE(result.complete);
  EXPECT_TRUE(result.printed);
  ASSERT_EQ(result.launches.size(), 1u);
  EXPECT_EQ(result.launches[0].cycles, 7u);
  EXPECT_EQ(result.errors, std::vector<std::string>{"it failed"});
  EXPECT_EQ(result.refusals, std::vector<std::string>{"it cannot be"});
  EXPECT_EQ(result.short_of_memory, "no room");
  EXPECT_EQ(result.unsupported_calls, std::vector<std::string>{"cudaBindTexture"});
}

TEST_F(Session, program_that_never_used_the_runtime_leaves_nothing) {
  EXPECT_FALSE(read_session(path("result")).used);
  EXPECT_FALSE(read_session(path("result")).complete);
}

TEST_F(Session, result_without_an_end_is_incomplete_but_keeps_its_launches) {
  {
    SessionWriter writer(path("result"), 12000);
    writer.launch(launch_of(7));
  }
  EXPECT_FALSE(read_session(path("result")).complete);
  EXPECT_EQ(read_session(path("result")).launches.size(), 1u);
}

TEST_F(Session, line_cut_off_in_the_middle_is_incomplete) {
  std::ofstream(path("result")) << R"({"begin":{}})"
                                << "\n"
                                << R"({"laun)";
  EXPECT_TRUE(read_session(path("result")).used);
  EXPECT_FALSE(read_session(path("result")).complete);
}

TEST_F(Session, launch_without_all_its_counts_is_refused_with_its_line) {
  std::ofstream(path("result")) << R"({"begin":{}})"
                                << "\n"
                                << R"({"launch":{"timed":true,"name":"k"}})"
                                << "\n";
  EXPECT_THAT([&] { read_session(path("result")); },
              testing::ThrowsMessage<Error>(testing::HasSubstr(":2: not a line")));
}

TEST_F(Session, two_programs_one_after_the_other_are_one_result) {
  for (unsigned program = 0; program < 2; ++program) {
    SessionWriter writer(path("result"), 12000);
    writer.launch(launch_of(program));
    writer.end({});
  }
  EXPECT_TRUE(read_session(path("result")).complete);
  EXPECT_EQ(read_session(path("result")).launches.size(), 2u);
}

TEST_F(Session, second_program_at_the_same_time_is_refused) {
  SessionWriter writer(path("result"), 12000);
  EXPECT_THROW(SessionWriter(path("result"), 12000), Error);
}

TEST_F(Session, what_cannot_be_written_makes_no_result_and_the_cause_has_a_remedy) {
  SessionWriter writer(path("result"), 12000);
  EXPECT_EQ(writer.failure(), "");
  const SmallFiles full(100);
  writer.launch(launch_of(7));
  EXPECT_THAT(writer.failure(), testing::HasSubstr("cannot be written: File too large\n  set TMPDIR to a folder"));
  writer.error("it failed");
  writer.end({});
  EXPECT_TRUE(read_session(path("result")).torn);
  EXPECT_FALSE(read_session(path("result")).complete);
}

TEST_F(Session, what_another_program_began_and_could_not_write_stays_torn) {
  std::filesystem::create_symlink("/dev/full", path("result"));
  EXPECT_THAT([&] { SessionWriter(path("result"), 12000); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("No space left on device\n  set TMPDIR")));
  SessionWriter(path("result"), 12000).end({});
  EXPECT_TRUE(read_session(path("result")).complete);
  EXPECT_TRUE(read_session(path("result")).torn);
}

TEST_F(Session, forked_child_writes_nothing) {
  SessionWriter writer(path("result"), 12000);
  const pid_t child = fork();
  if (child == 0) {
    writer.end({});
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(read_session(path("result")).complete);
}

}  // namespace session_test
}  // namespace warpfork::cuda
