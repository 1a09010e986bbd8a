// The two columns that temporal lanes add to a life, of real launches. Expected cycles from the timing in
// gpu/temporal_lane.h, by hand: taken in cycle t, the k-th thread that executes enters at t + 4 + k · interval; a
// dependent addition follows after 13 cycles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "explain/explainer.h"
#include "gpu/device.h"
#include "ptx/parser.h"
#include "simt/loaded_module.h"
#include "unit/test_folder.h"

namespace warpfork::explain {
namespace lane_columns_test {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// Threads 0 and 2 of four take the branch; thread 3 alone executes the guarded addition.
constexpr const char* kModule =
    ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry kernel() {\n"
    ".reg .pred %p<3>; .reg .b32 %r<5>; .reg .f32 %f<2>;\n"
    "mov.u32 %r1, %tid.x;\n"
    "setp.eq.u32 %p2, %r1, 3;\n"
    "and.b32 %r2, %r1, 1;\n"
    "setp.eq.u32 %p1, %r2, 0;\n"
    "@%p1 bra END;\n"
    "@%p2 add.u32 %r3, %r1, 2;\n"
    "sin.approx.f32 %f1, 0f3F800000;\n"
    "END: sin.approx.f32 %f1, 0f3F800000;\n"
    "ret;\n}\n";

/// Eight one-wide lanes with the timing of STSIMT Table III.
gpu::MachineSpec machine(const std::string& organisation) {
  gpu::MachineSpec spec;
  spec.core.lanes.organisation = organisation;
  spec.core.execution.sp_units = spec.core.execution.sfu_units = 1;
  spec.core.execution.Simple = spec.core.execution.IntAdd = {"sp", 10, 4};
  spec.core.execution.Special = {"sfu", 22, 16};
  return spec;
}

std::string life(const std::string& organisation, Request request = {}, unsigned warp = 0) {
  simt::DeviceMemory memory{1 << 20};
  simt::LoadedModule loaded(ptx::parse(kModule, "module.ptx"), memory);
  gpu::Device device(machine(organisation));
  simt::Launch launch;
  launch.program = &loaded.kernel("kernel");
  launch.memory = &memory;
  launch.block = {4 + 32 * warp, 1, 1};
  request.warp = warp;
  request.result_file = test_folder() + "/explanation.json";
  std::filesystem::remove(request.result_file);
  Explainer explainer(request);
  gpu::LaunchOptions options;
  options.listener = explainer.begin(launch, device.spec());
  device.run(launch, options);
  explainer.end();
  return read_result(request.result_file).text;
}

std::string every_instruction(const std::string& organisation) {
  Request request;
  request.every_instruction = true;
  return life(organisation, request);
}

/// Issue cycle and the column `entered` of the line with that instruction.
std::pair<Cycle, std::string> line_of(const std::string& text, const std::string& instruction) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex("\n +(\\d+) +\\d+  \\d+ +[01]+ +0  (.*?) *" + instruction)))
    return {0, "no line"};
  return {std::stoull(found[1]), found[2]};
}

std::string from(Cycle first, Cycle last) { return fmt::format("{}-{}", first, last); }

TEST(LaneColumns, threads_enter_from_the_fourth_cycle_on_one_after_the_other) {
  const auto [issued, entered] = line_of(every_instruction("tsimt"), "mov.u32 %r1");
  EXPECT_EQ(entered, from(issued + 4, issued + 7));
}

TEST(LaneColumns, a_dependent_instruction_issues_13_cycles_later) {
  const std::string text = every_instruction("tsimt");
  const auto [issued, entered] = line_of(text, "mov.u32 %r1");
  const auto [next, followed] = line_of(text, "setp.eq.u32 %p2");
  EXPECT_EQ(next, issued + 13);
  EXPECT_EQ(followed, from(next + 4, next + 7));
}

TEST(LaneColumns, only_threads_that_execute_take_a_cycle) {
  const auto [issued, entered] = line_of(every_instruction("tsimt"), "@%p2 add.u32");
  EXPECT_EQ(entered, std::to_string(issued + 4));
}

TEST(LaneColumns, a_lane_alone_brings_the_special_function_units_a_thread_a_cycle) {
  const std::string text = every_instruction("tsimt");
  const auto [issued, entered] = line_of(text.substr(text.find("reconvergence:")), "sin.approx.f32");
  EXPECT_EQ(entered, from(issued + 4, issued + 7));
}

// While they do, the pool of records grows.
TEST(LaneColumns, every_thread_of_a_branch_takes_a_cycle) {
  const auto [issued, entered] = line_of(every_instruction("tsimt"), "@%p1 bra");
  EXPECT_EQ(entered, from(issued + 4, issued + 7));
}

TEST(LaneColumns, four_threads_enter_a_lane_of_four_at_once) {
  const auto [issued, entered] = line_of(every_instruction("stsimt4"), "mov.u32 %r1");
  EXPECT_EQ(entered, std::to_string(issued + 4));
}

TEST(LaneColumns, a_straight_run_has_the_cycles_of_all_its_instructions) {
  const std::string text = life("tsimt");
  EXPECT_THAT(text, ContainsRegex("pc  line    lanes  lane  entered[ ]+instruction\n"));
  EXPECT_THAT(text, ContainsRegex(" 0-4  6-10 +1111 +0  [0-9]+-[0-9]+, …, [0-9]+-[0-9]+ +mov.u32 %r1, %tid.x; … @%p1"));
}

TEST(LaneColumns, name_the_lane_of_the_warps_slot) {
  EXPECT_THAT(life("tsimt", {}, 3), ContainsRegex("1111 +3  [0-9]+-.*mov.u32 %r1"));
  EXPECT_THAT(life("tsimt"), HasSubstr("warp 0, under pdom with tsimt lanes on "));
}

// Of the instructions that a window leaves out nothing comes to the lines of others.
TEST(LaneColumns, a_window_shows_the_same_cycles_as_the_whole_life) {
  const auto [issued, entered] = line_of(every_instruction("tsimt"), "and.b32 %r2");
  Request request;
  request.every_instruction = true;
  request.from_cycle = issued;
  request.cycles = 1;
  EXPECT_EQ(line_of(life("tsimt", request), "and.b32 %r2"), std::pair(issued, entered));
}

TEST(LaneColumns, are_not_there_with_lanes_side_by_side) {
  EXPECT_THAT(life("simt"), Not(HasSubstr("entered")));
  EXPECT_THAT(life("simt"), HasSubstr("warp 0, under pdom on "));
}

}  // namespace lane_columns_test
}  // namespace warpfork::explain
