#include "results/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "config/sweep_plan.h"
#include "config/text_file.h"
#include "report/json.h"
#include "report/line_count.h"
#include "report/record_json.h"
#include "report/record_sum.h"
#include "unit/test_folder.h"

namespace warpfork::results {
namespace store_test {

using report::Json;
using testing::HasSubstr;
using testing::ThrowsMessage;

Json document(int nodes) {
  return {{"schema", 1},
          {"point",
           {{"program", {{"name", "bfs"}, {"kind", "cuda"}, {"sha256", "PP"}}},
            {"arguments", {"--nodes", std::to_string(nodes)}},
            {"inputs", Json::array()},
            {"machine", {{"name", "gtx480"}, {"core", ""}, {"sha256", "MM"}}},
            {"overrides", {"core.warps=24"}},
            {"options", Json::object()},
            {"axes", {{"nodes", nodes}, {"it's", "a \"name\""}}},
            {"simulator", {{"version", "1"}, {"commit", "c"}}},
            {"hash", "HH"},
            {"label", "bfs on gtx480"}}}};
}

Json with_result(Json document) {
  document["result"] = {{"totals", {{"cycles", 30}, {"ipc", 1.5}}},
                        {"launches",
                         {{{"name", "k"},
                           {"mode", "timing"},
                           {"grid", {1, 1, 1}},
                           {"block", {4, 1, 1}},
                           {"cycles", 30},
                           {"warp_instructions", 9},
                           {"thread_instructions", 36},
                           {"simd_efficiency", 0.5},
                           {"branches",
                            {{{"pc", 3},
                              {"ptx_line", 12},
                              {"source", {{"file", "a.cu"}, {"line", 7}}},
                              {"executions", 4},
                              {"divergent", 2},
                              {"mean_splits", 1.5},
                              {"lost_lane_slots", 10}},
                             {{"pc", 5},
                              {"ptx_line", 14},
                              {"source", {{"file", "a.cu"}, {"line", 7}}},
                              {"executions", 1},
                              {"divergent", 0},
                              {"mean_splits", 1.0},
                              {"lost_lane_slots", 1}}}}}}}};
  return document;
}

/// Of the instruction at `pc`, all of whose counts are `count`.
Json instruction(unsigned pc, const std::string& file, unsigned line, unsigned count) {
  report::LineCount instruction;
  report::CountVisitor set([&](std::uint64_t& value, bool) { value = count; });
  instruction.visit(set);
  instruction.pc = pc;
  instruction.ptx_line = pc + 9;
  instruction.source = {file, line};
  return report::to_json(instruction, report::Extent::Result);
}

/// With what each instruction cost: of line 7 a load and a branch, and one whose line is not known.
Json with_lines(Json document) {
  document["result"]["launches"][0]["lines"]["instructions"] = {
      instruction(2, "a.cu", 7, 100), instruction(3, "a.cu", 7, 20), instruction(4, "", 0, 3)};
  return document;
}

/// A folder with a point that has a result and one that failed.
std::filesystem::path folder(const std::string& name) {
  const std::filesystem::path folder = test_folder() + "/" + name;
  std::filesystem::create_directories(folder / "points");
  std::filesystem::create_directories(folder / "failures");
  std::ofstream(folder / "points" / "a.json") << with_result(document(10));
  Json failed = document(20);
  failed["failure"] = {{"cause", "exit"}, {"message", "status 3"}, {"log", ""}};
  std::ofstream(folder / "failures" / "b.json") << failed;
  return folder;
}

TEST(ResultStore, has_a_row_for_each_point_with_its_axes_as_columns) {
  const auto results = folder("p");
  EXPECT_EQ(refresh(results).points, 1u);
  EXPECT_EQ(query_csv(results, "SELECT id, state, cause, cycles, nodes, \"it's\" FROM points ORDER BY nodes"),
            "id,state,cause,cycles,nodes,it's\na,done,,30,10,\"a \"\"name\"\"\"\nb,failed,exit,,20,\"a "
            "\"\"name\"\"\"\n");
}

TEST(ResultStore, has_no_column_that_an_axis_could_be_named_like) {
  const auto results = folder("c");
  refresh(results);
  std::set<std::string> columns, reserved(config::reserved_axis_names().begin(), config::reserved_axis_names().end());
  for (const char* view : {"points", "kernels", "groups", "branches", "lines"}) {
    const Json answer = query_json(results, fmt::format("SELECT * FROM {}", view));
    for (const Json& name : answer.at("columns")) columns.insert(name);
  }
  columns.erase("nodes");
  columns.erase("it's");
  EXPECT_EQ(columns, reserved);
}

TEST(ResultStore, has_no_times_where_nothing_was_timed) {
  const auto results = folder("f");
  Json functional = with_result(document(10));
  functional["result"]["totals"] = {{"launches", 0}, {"cycles", 0}, {"ipc", 0.0}, {"warp_instructions", 9}};
  std::ofstream(results / "points" / "a.json") << functional;
  refresh(results);
  EXPECT_EQ(query_csv(results, "SELECT cycles, ipc, warp_instructions FROM points WHERE state = 'done'"),
            "cycles,ipc,warp_instructions\n,,9\n");
}

TEST(ResultStore, shortens_long_cells_of_a_table_and_of_nothing_else) {
  const auto results = folder("w");
  refresh(results);
  const std::string hash(64, 'f'), sql = "SELECT '" + hash + "' AS a, '" + hash + "g' AS b";
  EXPECT_EQ(query_table(results, sql), "a" + std::string(128, ' ') + "b\n" + hash + "  " + hash.substr(1) + "…\n");
  EXPECT_EQ(query_csv(results, sql), "a,b\n" + hash + "," + hash + "g\n");
}

TEST(ResultStore, has_rows_for_kernels_branches_and_lines_that_carry_what_they_come_from) {
  const auto results = folder("k");
  refresh(results);
  const std::string from = "program_sha256 || machine_sha256 || overrides || nodes AS p FROM ";
  EXPECT_EQ(query_csv(results, "SELECT kernel, cycles, " + from + "kernels"),
            "kernel,cycles,p\nk,30,\"PPMM[\"\"core.warps=24\"\"]10\"\n");
  EXPECT_EQ(query_csv(results, "SELECT pc, line, divergent FROM branches"), "pc,line,divergent\n3,7,2\n5,7,0\n");
  EXPECT_EQ(query_csv(results, "SELECT file, line, branches, branch_lost_lane_slots FROM lines"),
            "file,line,branches,branch_lost_lane_slots\na.cu,7,2,11\n");
}

TEST(ResultStore, has_every_count_of_a_line_where_a_point_counted_them) {
  const auto results = folder("l");
  std::ofstream(results / "points" / "a.json") << with_lines(with_result(document(10)));
  refresh(results);
  EXPECT_EQ(query_csv(results,
                      "SELECT file, line, ptx_line, issues, stalled_memory, transactions, lost_lane_slots, branches, "
                      "divergent, branch_lost_lane_slots FROM lines ORDER BY ptx_line"),
            "file,line,ptx_line,issues,stalled_memory,transactions,lost_lane_slots,branches,divergent,"
            "branch_lost_lane_slots\n"
            "a.cu,7,11,120,120,120,120,1,2,10\n"
            ",,13,3,3,3,3,0,,\n");
}

TEST(ResultStore, has_lines_with_branches_alone_where_nobody_counted_their_costs) {
  const auto results = folder("b");
  refresh(results);
  EXPECT_EQ(query_csv(results, "SELECT line, ptx_line, executions, branch_lost_lane_slots, issues, misses FROM lines"),
            "line,ptx_line,executions,branch_lost_lane_slots,issues,misses\n7,12,5,11,,\n");
}

TEST(ResultStore, has_a_row_for_each_group_of_kernels) {
  const auto results = folder("g");
  Json grouped = with_result(document(10));
  grouped["point"]["groups"] = {{"BFS_0", "^expand$"}};
  grouped["groups"]["BFS_0"] = {{"cycles", 12}, {"ipc", 2.5}, {"energy", {{"total", 7.5}}}, {"misses", 3}};
  std::ofstream(results / "points" / "a.json") << grouped;
  refresh(results);
  EXPECT_EQ(query_csv(results,
                      "SELECT point, name, kernels, cycles, ipc, nanojoules, totals ->> '$.misses' AS misses, nodes, "
                      "program FROM groups"),
            "point,name,kernels,cycles,ipc,nanojoules,misses,nodes,program\na,BFS_0,^expand$,12,2.5,7.5,3,10,bfs\n");
}

TEST(ResultStore, a_row_of_a_table_is_one_line_whatever_it_says) {
  const auto results = folder("n");
  refresh(results);
  EXPECT_EQ(query_table(results, "SELECT 'cause' || char(10) || 'remedy' AS a"), "a\ncause remedy\n");
}

// That of a GPU stands beside its totals, that of a CPU core among them.
TEST(ResultStore, has_the_energy_of_gpus_and_of_cpu_cores) {
  const auto results = folder("e");
  Json gpu = with_result(document(10)), cpu = with_result(document(20));
  gpu["result"]["energy"] = {{"total", 7.5}};
  cpu["result"]["totals"]["energy"] = {{"total", 2.5}};
  std::ofstream(results / "points" / "a.json") << gpu;
  std::ofstream(results / "points" / "c.json") << cpu;
  refresh(results);
  EXPECT_EQ(query_csv(results, "SELECT id, nanojoules FROM points WHERE id IN ('a', 'c') ORDER BY id"),
            "id,nanojoules\na,7.5\nc,2.5\n");
}

TEST(ResultStore, equal_documents_make_equal_bytes) {
  const auto one = folder("one"), other = folder("other");
  refresh(one);
  refresh(other);
  EXPECT_EQ(config::read_text(database_of(one)), config::read_text(database_of(other)));
}

TEST(ResultStore, is_made_anew_when_a_document_came) {
  const auto results = folder("n");
  refresh(results);
  std::ofstream(results / "points" / "c.json") << with_result(document(30));
  std::filesystem::last_write_time(results / "points", std::filesystem::file_time_type::clock::now());
  EXPECT_EQ(refresh(results).points, 2u);
  EXPECT_EQ(query_csv(results, "SELECT count(*) AS n FROM points"), "n\n3\n");
}

TEST(ResultStore, refuses_what_is_no_query_and_what_would_change_it) {
  const auto results = folder("q");
  refresh(results);
  EXPECT_THAT([&] { query_csv(results, "SELECT wrong FROM points"); },
              ThrowsMessage<Error>(HasSubstr("no such column: wrong")));
  EXPECT_THAT([&] { query_csv(results, "DELETE FROM point"); }, ThrowsMessage<Error>(HasSubstr("readonly")));
  EXPECT_THAT([&] { query_csv(results, "SELECT 1; SELECT 2"); }, ThrowsMessage<Error>(HasSubstr("more than one")));
  EXPECT_THAT([] { refresh(test_folder()); }, ThrowsMessage<Error>(HasSubstr("holds no results of a sweep")));
}

TEST(ResultStore, rows_as_json_keep_their_kinds_of_values) {
  const auto results = folder("j");
  refresh(results);
  EXPECT_EQ(query_json(results, "SELECT id, nodes, 1.5 AS x, cause FROM points ORDER BY id"),
            Json::parse(R"({"columns": ["id", "nodes", "x", "cause"],
                            "rows": [["a", 10, 1.5, null], ["b", 20, 1.5, "exit"]]})"));
}

}  // namespace store_test
}  // namespace warpfork::results
