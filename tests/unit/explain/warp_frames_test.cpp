// States cycle by cycle, by hand from MULTIPATH Figures 3 and 5: what the stack, and ST and RT, hold after each step.
#include "explain/warp_frames.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "explain/explainer.h"
#include "gpu/device.h"
#include "led_warp.h"
#include "ptx/parser.h"
#include "unit/test_folder.h"

namespace warpfork::explain {
namespace warp_frames_test {

using report::Json;

// Figure 2: A is pc 0-3, C (1010) 4-5, B (0101) 6-7, D 8-9.
constexpr const char* kFigure2 = R"(
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra B;
  add.u32 %r3, %r1, 1;
  bra D;
B:
  add.u32 %r3, %r1, 2;
  add.u32 %r3, %r3, 3;
D:
  add.u32 %r4, %r3, 1;
  ret;
)";

/// A value that frames change now and then, as it is after the cycle.
Json at(const Json& frames, const std::string& pool, Cycle cycle) {
  std::size_t number = 0;
  for (const Json& frame : frames.at("frames"))
    if (frame.at("cycle") <= cycle && frame.contains(pool)) number = frame.at(pool);
  return frames.at(pool).at(number);
}

/// The rows of the mechanism's table with this number.
Json rows(const Json& frames, std::size_t table, Cycle cycle) {
  return at(frames, "tables", cycle).at(table).at("rows");
}

Request kept() {
  Request request;
  request.keeps_frames = true;
  return request;
}

// Figure 3: B first, then C, both from the stack.
LedWarp figure_3(const Request& request) {
  LedWarp warp(kFigure2, "pdom", 4, 4, request);
  for (Cycle cycle = 1; cycle <= 4; ++cycle) warp.issue(cycle, 0, "1111");
  for (const Cycle cycle : {5, 7}) warp.issue(cycle, 0, "0101");
  for (const Cycle cycle : {8, 10}) warp.issue(cycle, 0, "1010");
  for (const Cycle cycle : {11, 12}) warp.issue(cycle, 0, "1111");
  return warp;
}

TEST(WarpFrames, hold_the_stack_of_figure_3) {
  const Json frames = figure_3(kept()).frames();
  EXPECT_EQ(rows(frames, 0, 3), Json::parse(R"([["3", "-", "1111", "top"]])"));
  const Json parted = Json::parse(R"([["8", "-", "1111", ""], ["4", "8", "1010", ""], ["6", "8", "0101", "top"]])");
  EXPECT_EQ(rows(frames, 0, 4), parted);
  EXPECT_EQ(rows(frames, 0, 5).at(2), Json::parse(R"(["7", "8", "0101", "top"])"));
  EXPECT_EQ(rows(frames, 0, 7), Json::parse(R"([["8", "-", "1111", ""], ["4", "8", "1010", "top"]])"));
  EXPECT_EQ(rows(frames, 0, 10), Json::parse(R"([["8", "-", "1111", "top"]])"));
  EXPECT_EQ(rows(frames, 0, 12), Json::array());
}

// Figure 5: B and C by turns; B arrives in cycle 7, C in cycle 8.
LedWarp figure_5(const Request& request) {
  LedWarp warp(kFigure2, "multi-path", 4, 4, request);
  for (Cycle cycle = 1; cycle <= 4; ++cycle) warp.issue(cycle, 0, "1111");
  for (const Cycle cycle : {5, 6, 7, 8}) warp.issue(cycle, 0, cycle % 2 == 1 ? "0101" : "1010");
  for (const Cycle cycle : {9, 10}) warp.issue(cycle, 0, "1111");
  return warp;
}

TEST(WarpFrames, hold_split_and_reconvergence_table_of_figure_5) {
  const Json frames = figure_5(kept()).frames();
  EXPECT_EQ(frames.at("layouts").at(0).at("name"), "ST");
  EXPECT_EQ(frames.at("layouts").at(1).at("columns").at(3), Json::parse(R"(["pending", "mask"])"));
  EXPECT_EQ(rows(frames, 0, 3), Json::parse(R"([["3", "-", "1111", ""]])"));  // (1)
  EXPECT_EQ(rows(frames, 1, 3), Json::array());
  EXPECT_EQ(rows(frames, 0, 4), Json::parse(R"([["6", "8", "0101", ""], ["4", "8", "1010", ""]])"));  // (2b)
  EXPECT_EQ(rows(frames, 1, 4), Json::parse(R"([["8", "-", "1111", "1111", "", ""]])"));              // (2a)
  EXPECT_EQ(rows(frames, 0, 7), Json::parse(R"([["5", "8", "1010", ""]])"));                          // (3a)
  EXPECT_EQ(rows(frames, 1, 7), Json::parse(R"([["8", "-", "1111", "1010", "", ""]])"));              // (3b)
  EXPECT_EQ(rows(frames, 0, 8), Json::parse(R"([["8", "-", "1111", ""]])"));                          // (5)
  EXPECT_EQ(rows(frames, 1, 8), Json::array());                                                       // (4b)
}

TEST(WarpFrames, list_the_splits_that_may_issue_and_the_lanes_that_live) {
  const Json frames = figure_5(kept()).frames();
  const Json parted = at(frames, "splits", 4);
  EXPECT_EQ(parted.at("live"), "1111");
  EXPECT_EQ(parted.at("list"), Json::parse(R"([[6, 8, "0101", "", []], [4, 8, "1010", "", []]])"));
  EXPECT_EQ(at(frames, "splits", 10), Json::parse(R"({"live": "0000", "list": []})"));
  EXPECT_EQ(frames.at("ended"), true);
}

TEST(WarpFrames, tell_what_was_issued_and_what_came_of_it) {
  const Json frames = figure_5(kept()).frames();
  const Json& fourth = frames.at("frames").at(4);
  EXPECT_EQ(fourth.at("cycle"), 4);
  EXPECT_EQ(fourth.at("issued"), Json::parse(R"([[3, "1111", "1111"]])"));
  EXPECT_EQ(fourth.at("notes").at(0),
            "divergence: 0101 to pc 6 (B2), 1010 to pc 4 (B1); reconvergence point: pc 8 (B3)");
}

TEST(WarpFrames, of_a_window_begin_with_the_state_that_it_finds) {
  Request request = kept();
  request.from_cycle = 9;  // of Figure 3, where nothing happens
  request.cycles = 2;
  const Json frames = figure_3(request).frames();
  EXPECT_EQ(frames.at("frames").at(0).at("cycle"), 9);
  EXPECT_EQ(rows(frames, 0, 9).at(1), Json::parse(R"(["5", "8", "1010", "top"])"));
  EXPECT_EQ(frames.at("frames").size(), 2u);
  EXPECT_EQ(frames.at("frames").at(1).at("cycle"), 10);
}

TEST(WarpFrames, are_not_kept_unless_they_are_wanted) { EXPECT_TRUE(figure_3({}).frames().is_null()); }

/// What an Explainer leaves of the first warp of a kernel on a GTX 480 with the plain pdom stack.
Json frames_of(const std::string& body, Request request = kept()) {
  request.result_file = test_folder() + "/frames.json";
  std::filesystem::remove(request.result_file);
  simt::DeviceMemory memory(1 << 20);
  simt::LoadedModule module(ptx::parse(".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry kernel() {\n"
                                       ".reg .b32 %r<10>;\n" +
                                           body + "}\n",
                                       "kernel.ptx"),
                            memory);
  simt::Launch launch;
  launch.program = &module.kernel("kernel");
  launch.memory = &memory;
  launch.block = {4, 1, 1};
  gpu::Device device{gpu::MachineSpec()};
  Explainer explainer(request);
  gpu::LaunchOptions options;
  options.listener = explainer.begin(launch, device.spec());
  device.run(launch, options);
  explainer.end();
  return read_result(request.result_file).frames;
}

Cycle issue_of(const Json& frames, Pc pc) {
  for (const Json& frame : frames.at("frames"))
    if (frame.contains("issued") && frame.at("issued").at(0).at(0) == pc) return frame.at("cycle");
  return kNever;
}

TEST(WarpFrames, show_a_register_from_its_issue_until_it_is_written) {
  const Json frames = frames_of("mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1; ret;");
  const Cycle first = issue_of(frames, 0), second = issue_of(frames, 1);
  ASSERT_LT(first + 1, second);  // for which the second one waits
  EXPECT_EQ(at(frames, "registers", first), Json::parse(R"([["%r1", "1111", false, 0]])"));
  EXPECT_EQ(at(frames, "registers", second - 1), Json::parse(R"([["%r1", "1111", false, 0]])"));
  EXPECT_EQ(at(frames, "registers", second), Json::parse(R"([["%r2", "1111", false, 1]])"));
  EXPECT_EQ(at(frames, "splits", first).at("list").at(0).at(3), "waits for a result");
}

TEST(WarpFrames, are_cut_off_after_the_cycles_that_are_asked_for) {
  Request request = kept();
  request.from_cycle = 0;
  request.cycles = 10;
  const Json frames = frames_of("mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1; ret;", request);
  EXPECT_EQ(frames.at("cut"), true);
  EXPECT_EQ(frames.at("ended"), false);
  EXPECT_EQ(frames.at("last"), 9);
  EXPECT_LE(frames.at("frames").back().at("cycle"), 9);
}

}  // namespace warp_frames_test
}  // namespace warpfork::explain
