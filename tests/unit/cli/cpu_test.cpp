// The commands `cpu run`, `cpu compare` and `cpu dump` on a recording that is made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "config/text_file.h"
#include "ooo/cores.h"
#include "unit/cli/invocation.h"
#include "unit/x86/recording_builder.h"

namespace warpfork::cli {
namespace cpu_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;
using Json = nlohmann::json;

constexpr unsigned kRounds = 20;

/// Of two threads that run `mov rax, [rbx]; add rax, rcx; jmp` back to the beginning, `kRounds` times each. The last
/// jump's target was never reached. Nobody called `callee`.
std::string recording() {
  x86::RecordingBuilder builder;
  builder.function("loop", 0x401000, 8);
  builder.function("callee", 0x402000, 16);
  const std::uint32_t block = builder.block(0x401000, {{0x48, 0x8b, 0x03}, {0x48, 0x01, 0xc8}, {0xeb, 0xf8}});
  for (std::uint32_t thread = 0; thread < 2; ++thread) {
    std::vector<std::uint32_t> tokens;
    for (unsigned round = 0; round < kRounds; ++round) {
      tokens.push_back(block);
      tokens.push_back(x86::access_token(0, false, 3, round == 0 ? 0x1000 : 8));
    }
    builder.thread();
    builder.frame(thread, tokens);
  }
  return builder.write();
}

TEST(CpuRun, prints_a_row_and_writes_the_whole_result) {
  const std::string file = test_folder() + "/cpu.json";
  EXPECT_THAT(invoke("cpu run --json " + file + " " + recording()).output,
              AllOf(HasSubstr("\nsimt-x "), Not(HasSubstr("\nsmt "))));
  const Json result = Json::parse(config::read_text(file));
  EXPECT_EQ(result["schema"], 1);
  EXPECT_EQ(result["core"], "simt-x");
  EXPECT_EQ(result["totals"]["thread_instructions"], 2 * 3 * kRounds);
}

TEST(CpuRun, leaves_a_result_on_standard_output_alone) {
  const Printed printed = invoke("cpu run --core smt --json - " + recording());
  EXPECT_EQ(Json::parse(printed.output)["core"], "smt");
  EXPECT_THAT(printed.errors, IsEmpty());
}

TEST(CpuRun, says_how_much_of_the_renaming_it_checked) {
  EXPECT_THAT(invoke("cpu run --check " + recording()).output, HasSubstr("checked: "));
  EXPECT_THAT(invoke("cpu run " + recording()).output, Not(HasSubstr("checked: ")));
  EXPECT_EQ(invoke("cpu run --check --json - " + recording()).output, invoke("cpu run --json - " + recording()).output);
}

// The viewer's format, "Kanata Log Format": its first line names version 4.
TEST(CpuRun, writes_the_pipelines_log) {
  const std::string log = test_folder() + "/pipeline.log";
  invoke("cpu run --konata " + log + " " + recording());
  EXPECT_THAT(config::read_text(log), AllOf(StartsWith("Kanata\t0004\n"), HasSubstr("mov rax, [rbx]")));
}

TEST(CpuRun, leaves_no_log_of_a_run_that_is_refused) {
  const std::string log = test_folder() + "/refused.log";
  EXPECT_THROW(invoke("cpu run --warps 1 --threads 1 --konata " + log + " " + recording()), Error);
  EXPECT_FALSE(std::filesystem::exists(log));
}

TEST(CpuCompare, has_a_row_for_each_core_in_the_order_asked_for) {
  const std::string all = invoke("cpu compare " + recording()).output;
  for (const std::string& core : ooo::core_names()) EXPECT_THAT(all, HasSubstr("\n" + core + " "));
  const std::string two = invoke("cpu compare --cores simt-x,smt " + recording()).output;
  EXPECT_LT(two.find("\nsimt-x "), two.find("\nsmt "));
  EXPECT_THAT(two, Not(HasSubstr("\nditva ")));
}

TEST(CpuCompare, writes_what_cpu_run_writes_of_each_core) {
  const std::string file = recording();
  const Json compared = Json::parse(invoke("cpu compare --cores ditva,smt --json - " + file).output);
  ASSERT_EQ(compared["results"].size(), 2u);
  for (const Json& result : compared["results"]) {
    const std::string core = result["core"];
    Json alone = Json::parse(invoke("cpu run --core " + core + " --json - " + file).output);
    alone.erase("schema");
    Json together = result;
    together.erase("schema");
    EXPECT_EQ(alone, together) << core;
  }
}

TEST(CpuRun, refuses_a_key_that_its_core_does_not_use) {
  const std::string file = recording();
  EXPECT_THAT([&] { invoke("cpu run --core ditva --set rename=rat " + file); },
              ThrowsMessage<Error>("--set rename=rat: ditva does not use rename\n  used by simt-x"));
  EXPECT_THAT([&] { invoke("cpu run --core smt --set issue_order=warp " + file); },
              ThrowsMessage<Error>(HasSubstr("smt does not use issue_order\n  used by ditva")));
  EXPECT_THAT([&] { invoke("cpu run --core ditva --set pipeline.commit_width=2 " + file); },
              ThrowsMessage<Error>(HasSubstr("used by smt, simt-x")));
  EXPECT_NO_THROW(invoke("cpu run --core ditva --set issue_order=warp " + file));
}

TEST(CpuRun, takes_a_machine_file_that_describes_more_than_its_core_uses) {
  const std::string machine = file_with("all_cores.toml", "rename = \"rat\"\nissue_order = \"warp\"\n");
  EXPECT_NO_THROW(invoke("cpu run --core ditva --machine " + machine + " " + recording()));
}

TEST(CpuCompare, refuses_a_key_that_none_of_its_cores_uses) {
  const std::string file = recording();
  EXPECT_NO_THROW(invoke("cpu compare --set issue_order=warp " + file));
  EXPECT_THAT([&] { invoke("cpu compare --cores smt,ditva --set rename=rat " + file); },
              ThrowsMessage<Error>("--set rename=rat: smt and ditva do not use rename\n  used by simt-x"));
}

TEST(CpuDump, lists_what_was_executed_with_its_bytes_and_uops) {
  const std::string listed = invoke("cpu dump " + recording()).output;
  EXPECT_THAT(listed, AllOf(HasSubstr("401000"), HasSubstr("48 8b 03"), HasSubstr("mov rax, [rbx]"),
                            HasSubstr("load8 "), HasSubstr("add rax, rcx"), HasSubstr("eb f8")));
  EXPECT_LT(listed.find("mov rax"), listed.find("add rax"));
}

TEST(CpuDump, says_of_a_function_of_a_recording_that_it_did_not_run) {
  EXPECT_THAT(invoke("cpu dump --symbol loop " + recording()).output, HasSubstr("loop+0x3"));
  EXPECT_THAT([] { invoke("cpu dump --symbol callee " + recording()); },
              ThrowsMessage<Error>(HasSubstr("nothing of 'callee' was executed")));
}

TEST(CpuDump, refuses_functions_that_there_are_not_and_files_that_are_no_programs) {
  EXPECT_THAT([] { invoke("cpu dump --symbol work " + recording()); },
              ThrowsMessage<Error>(HasSubstr("has no function 'work'")));
  const std::string text = file_with("notes.txt", "no program\n");
  EXPECT_THAT([&] { invoke("cpu dump " + text); }, ThrowsMessage<Error>(HasSubstr("notes.txt")));
}

}  // namespace cpu_test
}  // namespace warpfork::cli
