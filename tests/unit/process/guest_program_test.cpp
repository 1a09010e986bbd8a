#include "process/guest_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "process/find_program.h"
#include "process/temporary_folder.h"
#include "report/launch_json.h"
#include "unit/run_program.h"

namespace warpfork::process {
namespace guest_program_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

// Stands for a program with our runtime library in it: `say LINE` writes a line of the session's result.
const std::string kPrelude =
    "result=$(sed -n 's/.*\"result_file\": *\"\\([^\"]*\\)\".*/\\1/p' \"$WARPFORK_SESSION\")\n"
    "say() { echo \"$1\" >> \"$result\"; }\n"
    "say '{\"begin\":{\"runtime_version\":12000}}'\n";

/// The runtime library tells of a launch.
std::string say_launch(const std::string& cut_off) {
  report::LaunchRecord launch;
  launch.name = "k";
  launch.cut_off = cut_off;
  const report::Json line = {{"launch", report::state_of(launch)}};
  return "say '" + line.dump() + "'; ";
}

Outcome run(const std::string& script, GuestOutput output = GuestOutput::Captured) {
  GuestOptions options;
  options.program = "sh";
  options.arguments = {"-c", script};
  options.library_folder = "/our/libraries";
  options.simulation = report::Json::object();
  options.output = output;
  return run_guest_program(options);
}

TEST(GuestProgram, its_launches_output_and_status_are_collected) {
  const Outcome outcome =
      run(kPrelude + say_launch("") + "say '{\"end\":{\"unsupported_calls\":[]}}'; echo done; exit 3");
  EXPECT_EQ(outcome.launches[0].name, "k");
  EXPECT_EQ(outcome.output, "done\n");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.program["exit_status"], 3);
  EXPECT_EQ(outcome.program["name"], "sh");
}

TEST(GuestProgram, is_not_blamed_where_its_runtime_could_not_write_what_it_did) {
  EXPECT_THAT([] { run(kPrelude + "mv \"$result\" \"$result\".torn; kill -ABRT $$"); },
              ThrowsMessage<Error>(HasSubstr("sh: what it did could not be recorded, as told above")));
}

TEST(GuestProgram, says_how_to_see_lines_of_its_own_ptx_alone) {
  const auto failed = [](const std::string& message) {
    return [script = kPrelude + "say '{\"error\":\"" + message + "\"}'"] { run(script); };
  };
  EXPECT_THAT(failed("sh.0.ptx:31: error"), ThrowsMessage<Error>(HasSubstr("warpfork inspect sh --ptx")));
  EXPECT_THAT(failed("sh.loaded.0.ptx:31: error"), ThrowsMessage<Error>(Not(HasSubstr("inspect"))));
}

TEST(GuestProgram, says_how_to_see_its_own_lines_where_it_does_not_show_them) {
  const auto failed = [](const std::string& message) {
    return [script = kPrelude + "say '{\"error\":\"" + message + "\"}'"] { run(script); };
  };
  EXPECT_THAT(failed("sh.0.ptx:31: error: thread (0,0,0): x"), ThrowsMessage<Error>(HasSubstr("nvcc -lineinfo")));
  EXPECT_THAT(failed("sh.0.ptx:31: error: instruction 7: ld.u32 (copy.cu:12)"),
              ThrowsMessage<Error>(AllOf(HasSubstr("--ptx prints them."), Not(HasSubstr("-lineinfo")))));
}

TEST(GuestProgram, without_device_code_in_its_file_shows_ptx_of_a_launch_that_is_saved) {
  const auto failed = [] { run(kPrelude + "say '{\"error\":\"written at PTX line 31\"}'"); };
  EXPECT_THAT(failed, ThrowsMessage<Error>(AllOf(HasSubstr("of code that sh loads. warpfork run --save-launch"),
                                                 Not(HasSubstr("inspect sh")))));
  EXPECT_THAT(where_ptx_lines_are("sh"), HasSubstr("of code that sh loads"));
}

TEST(GuestProgram, its_standard_output_can_give_way_to_a_result) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  run(kPrelude + "say '{\"end\":{\"unsupported_calls\":[]}}'; echo done", GuestOutput::StandardError);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "done\n");
}

TEST(GuestProgram, our_libraries_come_first) {
  const Outcome outcome = run(kPrelude + "say '{\"end\":{\"unsupported_calls\":[]}}'; echo \"$LD_LIBRARY_PATH\"");
  EXPECT_THAT(outcome.output, ::testing::StartsWith("/our/libraries"));
}

TEST(GuestProgram, a_session_without_its_end_is_no_result) {
  EXPECT_THAT([] { run(kPrelude + "exit 0"); }, ThrowsMessage<Error>(HasSubstr("no result is written")));
  EXPECT_THAT([] { run(kPrelude + "kill -ABRT $$"); }, ThrowsMessage<EndedBySignal>(HasSubstr("ended by signal 6")));
}

TEST(GuestProgram, a_kernel_that_failed_is_an_error_also_if_the_program_does_not_care) {
  EXPECT_THAT(
      [] { run(kPrelude + "say '{\"error\":\"k: out of bounds\"}'; say '{\"end\":{\"unsupported_calls\":[]}}'"); },
      ThrowsMessage<Error>(AllOf(HasSubstr("sh: failed on the simulated GPU"), Not(HasSubstr("out of bounds")))));
}

TEST(GuestProgram, a_program_that_goes_on_after_something_was_refused_has_a_result_that_says_so) {
  const Outcome outcome =
      run(kPrelude + "say '{\"refused\":\"no such block\"}'; say '{\"end\":{\"unsupported_calls\":[]}}'");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.complaints, std::vector<std::string>{"sh went on after this was refused: no such block"});
}

TEST(GuestProgram, that_gives_up_after_an_allocation_found_no_room_is_told_of_it) {
  const std::string tried =
      kPrelude + "say '{\"short_of_memory\":\"no room\"}'; say '{\"end\":{\"unsupported_calls\":[]}}'; ";
  EXPECT_EQ(run(tried + "exit 1").complaints, std::vector<std::string>{"sh ended with exit status 1\n  no room"});
  EXPECT_TRUE(run(tried + "exit 0").complaints.empty());
}

TEST(GuestProgram, a_kernel_that_was_cut_off_leaves_its_record_however_the_program_ends) {
  const std::string cut_off = kPrelude + say_launch("still ran") + "say '{\"error\":\"still ran\"}'; ";
  for (const auto& [ending, status] :
       {std::pair("exit 0", 1), std::pair("exit 3", 3), std::pair("kill -ABRT $$", 134)}) {
    const Outcome outcome = run(cut_off + ending);
    EXPECT_EQ(outcome.status, status) << ending;
    EXPECT_EQ(outcome.launches[0].cut_off, "still ran");
    EXPECT_EQ(outcome.complaints.at(0), "sh: its last kernel was cut off");
  }
}

TEST(GuestProgram, a_program_that_never_calls_the_runtime_library_is_told_so) {
  EXPECT_THAT([] { run("exit 0"); }, ThrowsMessage<Error>(HasSubstr("it is no CUDA program")));
  EXPECT_THAT(run("exit 3").complaints[0], HasSubstr("exit status 3 and never called the CUDA runtime library"));
}

TEST(GuestProgram, a_program_with_a_stripped_runtime_of_its_own_is_refused_before_it_runs) {
  if (find_program("clang++").empty()) GTEST_SKIP() << "there is no clang";
  const TemporaryFolder folder;
  GuestOptions options;
  options.program = (folder.path() / "program").string();
  std::ofstream(options.program + ".cpp") << "__attribute__((section(\".nv_fatbin\"))) char image = 1; int main() {}";
  ASSERT_EQ(run_program({find_program("clang++"), options.program + ".cpp", "-o", options.program}), 0);
  EXPECT_THAT([&] { run_guest_program(options); },
              ThrowsMessage<Error>(HasSubstr("program: the CUDA runtime is linked into this program")));
}

}  // namespace guest_program_test
}  // namespace warpfork::process
