#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "cuda/session/session_request.h"
#include "cuda/session/session_result.h"
#include "cuda/session/session_writer.h"

namespace warpfork::cuda {
namespace {

class Session : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return folder_ + "/" + name; }

  std::string folder_ = testing::TempDir() + "warpfork_session_" + std::to_string(getpid());
};

TEST_F(Session, RequestComesBackAsItWasSaved) {
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

TEST_F(Session, MissingOrForeignRequestIsAnErrorWithItsPath) {
  EXPECT_THROW(load_request(path("none.json")), Error);
  std::ofstream(path("other.json")) << "{}";
  EXPECT_THROW(load_request(path("other.json")), Error);
}

TEST_F(Session, FinishedProgramLeavesACompleteResult) {
  {
    SessionWriter writer(path("result"), 12000);
    writer.printed();
    writer.launch({{"cycles", 7}});
    writer.error("it failed");
    writer.end({"cudaGraphLaunch"});
  }
  const SessionResult result = read_session(path("result"));
  EXPECT_TRUE(result.used);
  EXPECT_TRUE(result.complete);
  EXPECT_TRUE(result.printed);
  ASSERT_EQ(result.launches.size(), 1u);
  EXPECT_EQ(result.launches[0].at("cycles"), 7);
  EXPECT_EQ(result.errors, std::vector<std::string>{"it failed"});
  EXPECT_EQ(result.unsupported_calls, std::vector<std::string>{"cudaGraphLaunch"});
}

TEST_F(Session, ProgramThatNeverUsedTheRuntimeLeavesNothing) {
  EXPECT_FALSE(read_session(path("result")).used);
  EXPECT_FALSE(read_session(path("result")).complete);
}

TEST_F(Session, ResultWithoutAnEndIsIncompleteButKeepsItsLaunches) {
  {
    SessionWriter writer(path("result"), 12000);
    writer.launch({{"cycles", 7}});
  }
  EXPECT_FALSE(read_session(path("result")).complete);
  EXPECT_EQ(read_session(path("result")).launches.size(), 1u);
}

TEST_F(Session, LineCutOffInTheMiddleIsIncomplete) {
  std::ofstream(path("result")) << R"({"begin":{}})"
                                << "\n"
                                << R"({"laun)";
  EXPECT_TRUE(read_session(path("result")).used);
  EXPECT_FALSE(read_session(path("result")).complete);
}

TEST_F(Session, TwoProgramsOneAfterTheOtherAreOneResult) {
  for (int program = 0; program < 2; ++program) {
    SessionWriter writer(path("result"), 12000);
    writer.launch({{"cycles", program}});
    writer.end({});
  }
  EXPECT_TRUE(read_session(path("result")).complete);
  EXPECT_EQ(read_session(path("result")).launches.size(), 2u);
}

TEST_F(Session, SecondProgramAtTheSameTimeIsRefused) {
  SessionWriter writer(path("result"), 12000);
  EXPECT_THROW(SessionWriter(path("result"), 12000), Error);
}

TEST_F(Session, ForkedChildWritesNothing) {
  SessionWriter writer(path("result"), 12000);
  const pid_t child = fork();
  if (child == 0) {
    writer.end({});
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(read_session(path("result")).complete);
}

}  // namespace
}  // namespace warpfork::cuda
