// The commands `run` and `compare` on a bare kernel: reports, JSON, exit status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "config/text_file.h"
#include "unit/cli/invocation.h"

namespace warpfork::cli {
namespace run_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;
using Json = nlohmann::json;

/// The command with these options on the kernel `number`.
Printed on_number(const std::string& command, const std::string& options, const std::string& expected = "") {
  return invoke(command + " " + options + " " + number_kernel() + " --launch " + number_launch(expected));
}

TEST(Run, reports_a_bare_kernel_on_standard_output) {
  const Printed printed = on_number("run", "");
  EXPECT_EQ(printed.status, 0);
  EXPECT_THAT(printed.output, AllOf(HasSubstr("number"), HasSubstr("schedulers")));
  EXPECT_THAT(printed.errors, IsEmpty());
}

TEST(Run, says_by_its_status_and_a_complaint_that_a_buffer_is_not_as_expected) {
  EXPECT_EQ(on_number("run", "", "[1, 2, 3, 4]").status, 0);
  const Printed printed = on_number("run", "", "[1, 2, 3, 5]");
  EXPECT_EQ(printed.status, 1);
  EXPECT_THAT(printed.errors, HasSubstr("warpfork: out: 1 of 4 elements differ, first [3]: got 4, expected 5"));
}

// One warp of four threads: seven instructions, ret among them, each for four lanes.
TEST(Run, counts_what_the_kernel_executes) {
  const Json result = Json::parse(on_number("run", "--json -").output);
  EXPECT_EQ(result["schema"], 1);
  ASSERT_EQ(result["launches"].size(), 1u);
  EXPECT_EQ(result["launches"][0]["warp_instructions"], 7);
  EXPECT_EQ(result["launches"][0]["thread_instructions"], 28);
  EXPECT_EQ(result["totals"]["warp_instructions"], 7);
}

TEST(Run, leaves_a_result_on_standard_output_alone) {
  const Printed printed = on_number("run", "--json -");
  EXPECT_TRUE(Json::accept(printed.output)) << printed.output;
  EXPECT_THAT(printed.errors, IsEmpty());
}

TEST(Run, writes_no_result_over_what_the_launch_file_leaves) {
  const std::string out = test_folder() + "/out.bin";
  const std::string launch = file_with("leaves.toml",
                                       "kernel = \"number\"\ngrid = 1\nblock = 4\n[[argument]]\nbuffer = \"out\"\n"
                                       "bytes = 16\nzeros = true\noutput = \"" +
                                           out + "\"\n");
  EXPECT_THAT([&] { invoke("run --json " + out + " " + number_kernel() + " --launch " + launch); },
              ThrowsMessage<Error>(HasSubstr("out.bin: is to be written twice")));
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(Run, writes_the_result_to_a_file_beside_its_report) {
  const std::string file = test_folder() + "/result.json";
  const Printed printed = on_number("run", "--json " + file);
  EXPECT_THAT(printed.output, HasSubstr("number"));
  EXPECT_EQ(Json::parse(config::read_text(file))["launches"][0]["name"], "number");
}

TEST(Run, is_the_same_to_the_byte_when_it_is_run_again) {
  EXPECT_EQ(on_number("run", "--json -").output, on_number("run", "--json -").output);
}

TEST(Run, takes_a_machine_file_that_describes_more_than_its_mechanism_uses) {
  const std::string machine =
      file_with("all_mechanisms.toml", "[divergence]\npredictor = \"never\"\n[core.lanes]\nwidth = 8\n");
  EXPECT_EQ(on_number("run", "--divergence pdom --machine " + machine).status, 0);
  EXPECT_EQ(on_number("run", "--divergence capri --set divergence.predictor=always --machine " + machine).status, 0);
}

TEST(Run, keeps_the_hosts_times_apart_from_the_result) {
  const std::string file = test_folder() + "/times.json";
  const Json result = Json::parse(on_number("run", "--json - --host-time " + file).output);
  const Json times = Json::parse(config::read_text(file));
  EXPECT_EQ(times["warp_instructions"], 7);
  EXPECT_TRUE(times["wall_seconds"].is_number());
  EXPECT_THAT(result.dump(), Not(HasSubstr("wall_seconds")));
}

TEST(Run, takes_mechanism_scheduler_and_keys_into_the_machine_of_the_result) {
  const Json machine =
      Json::parse(on_number("run", "--json - --divergence multi-path --scheduler lrr --set cores=3 --lanes tsimt")
                      .output)["machine"];
  EXPECT_EQ(machine["divergence"]["mechanism"], "multi-path");
  EXPECT_EQ(machine["core"]["scheduler"], "lrr");
  EXPECT_EQ(machine["core"]["lanes"]["organisation"], "tsimt");
  EXPECT_EQ(machine["cores"], 3);
}

TEST(Run, executes_once_for_a_warp_what_the_rule_allows) {
  const Json result =
      Json::parse(on_number("run", "--json - --lanes simt-scalar --scalarize convergent-only --check-scalar").output);
  EXPECT_EQ(result["machine"]["core"]["scalarize"], "convergent-only");
  EXPECT_GT(result["launches"][0]["scalars"]["warp_instructions"], 0);
  EXPECT_FALSE(Json::parse(on_number("run", "--json -").output)["launches"][0].contains("scalars"));
}

TEST(Run, an_option_of_its_own_decides_as_its_key_does) {
  for (const char* option : {"--scheduler lrr", "--set core.scheduler=lrr"})
    EXPECT_EQ(Json::parse(on_number("run", std::string("--json - ") + option).output)["machine"]["core"]["scheduler"],
              "lrr");
}

TEST(Run, has_no_cycles_without_timing) {
  const Json timed = Json::parse(on_number("run", "--json -").output)["launches"][0];
  const Json untimed = Json::parse(on_number("run", "--json - --functional-only").output)["launches"][0];
  EXPECT_GT(timed["cycles"], 0);
  EXPECT_TRUE(!untimed.contains("cycles") || untimed["cycles"].is_null() || untimed["cycles"] == 0) << untimed.dump();
  EXPECT_EQ(untimed["warp_instructions"], timed["warp_instructions"]);
}

TEST(Run, refuses_a_name_of_kernels_that_none_was_launched_of) {
  EXPECT_THAT([] { on_number("run", "--kernels other"); },
              ThrowsMessage<Error>(HasSubstr("--kernels 'other': no such kernel was launched")));
  EXPECT_EQ(on_number("run", "--kernels num.*").status, 0);
}

TEST(Run, cuts_off_a_launch_at_its_limit_and_not_before) {
  const auto cycles = Json::parse(on_number("run", "--json -").output)["launches"][0]["cycles"].get<std::uint64_t>();
  EXPECT_EQ(on_number("run", "--max-cycles " + std::to_string(cycles + 1)).status, 0);
  const Json cut = Json::parse(on_number("run", "--json - --max-cycles 3").output);
  EXPECT_THAT(cut.dump(), HasSubstr("cut"));
}

TEST(Run, names_the_line_of_ptx_that_is_wrong) {
  const std::string kernel = file_with("wrong.ptx", ".version 6.0\n.target sm_20\n.entry k { ad.u32 %r1, 1, 2; }\n");
  EXPECT_THAT([&] { invoke("run " + kernel + " --launch " + number_launch()); },
              ThrowsMessage<Error>(AllOf(HasSubstr("wrong.ptx:3:12: error: unknown instruction 'ad'"))));
}

TEST(Compare, has_a_row_for_each_mechanism_and_the_first_one_as_measure) {
  const Printed printed = on_number("compare", "--divergence pdom,multi-path");
  EXPECT_THAT(printed.output, AllOf(HasSubstr("\npdom "), HasSubstr("\nmulti-path "), Not(HasSubstr("dual-path"))));
  EXPECT_EQ(printed.status, 0);
}

TEST(Compare, crosses_mechanisms_with_lane_organisations) {
  const Printed printed = on_number("compare", "--divergence pdom,multi-path --lanes simt,tsimt");
  for (const char* row : {"\npdom simt ", "\npdom tsimt ", "\nmulti-path simt ", "\nmulti-path tsimt "})
    EXPECT_THAT(printed.output, HasSubstr(row));
}

TEST(Compare, names_rows_after_the_lanes_where_only_these_are_compared) {
  const Printed printed = on_number("compare", "--lanes simt,tsimt");
  EXPECT_THAT(printed.output, AllOf(HasSubstr("\nsimt "), HasSubstr("\ntsimt "), Not(HasSubstr("pdom "))));
}

TEST(Compare, writes_the_whole_results_in_the_order_of_the_rows) {
  const Json results = Json::parse(on_number("compare", "--json - --divergence multi-path,pdom").output)["results"];
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0]["machine"]["divergence"]["mechanism"], "multi-path");
  EXPECT_EQ(results[1]["machine"]["divergence"]["mechanism"], "pdom");
}

TEST(Compare, stops_at_the_mechanism_under_which_a_buffer_is_not_as_expected) {
  EXPECT_THAT([] { on_number("compare", "--divergence pdom,multi-path", "[1, 2, 3, 5]"); },
              ThrowsMessage<Error>(AllOf(StartsWith("under 'pdom': out: 1 of 4"), HasSubstr("got 4, expected 5"))));
}

TEST(Compare, says_where_the_whole_result_is) {
  const std::string file = test_folder() + "/compared.json";
  EXPECT_THAT(on_number("compare", "--divergence pdom --json " + file).output, HasSubstr("The whole result: " + file));
  EXPECT_EQ(Json::parse(config::read_text(file))["schema"], 1);
}

TEST(Compare, prints_and_writes_the_same_however_many_mechanisms_run_at_a_time) {
  const std::string row = on_number("compare", "--jobs 1").output;
  EXPECT_EQ(on_number("compare", "--jobs 3").output, row);
  EXPECT_EQ(on_number("compare", "--jobs 3 --json -").output, on_number("compare", "--jobs 1 --json -").output);
  EXPECT_THAT([] { on_number("compare", "--jobs 2 --set core.warps=0"); },
              ThrowsMessage<Error>(HasSubstr("core.warps")));
}

}  // namespace run_test
}  // namespace warpfork::cli
