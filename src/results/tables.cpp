#include "results/tables.h"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace warpfork::results {

namespace {

using report::Json;

/// "a INTEGER, b INTEGER" of the counts of an instruction.
std::string count_columns() {
  std::vector<std::string> columns;
  for (const LineColumn& column : line_columns()) columns.push_back(column.name + " INTEGER");
  return fmt::format("{}", fmt::join(columns, ", "));
}

/// "?, ?" for so many values.
std::string places(std::size_t values) {
  return fmt::format("{}", fmt::join(std::vector<std::string>(values, "?"), ", "));
}

/// Run before the statements of the members that follow it are prepared.
Database& with_tables(Database& database) {
  database.run(fmt::format(R"(
    CREATE TABLE point(
      id TEXT PRIMARY KEY, hash TEXT, state TEXT, cause TEXT, message TEXT, label TEXT,
      program TEXT, kind TEXT, arguments TEXT, machine TEXT, core TEXT, options TEXT,
      program_sha256 TEXT, inputs TEXT, machine_sha256 TEXT, overrides TEXT,
      simulator_version TEXT, simulator_commit TEXT, simulator_build TEXT,
      cycles INTEGER, warp_instructions INTEGER, thread_instructions INTEGER, instructions INTEGER,
      simd_efficiency REAL, ipc REAL, nanojoules REAL, totals TEXT);
    CREATE TABLE axis(point TEXT, name TEXT, value, PRIMARY KEY(point, name)) WITHOUT ROWID;
    CREATE TABLE launch(
      point TEXT, launch INTEGER, kernel TEXT, mode TEXT, grid TEXT, block TEXT,
      cycles INTEGER, warp_instructions INTEGER, thread_instructions INTEGER,
      simd_efficiency REAL, ipc REAL, record TEXT, PRIMARY KEY(point, launch)) WITHOUT ROWID;
    CREATE TABLE kernel_group(
      point TEXT, name TEXT, kernels TEXT, cycles INTEGER, warp_instructions INTEGER, thread_instructions INTEGER,
      simd_efficiency REAL, ipc REAL, nanojoules REAL, totals TEXT, PRIMARY KEY(point, name)) WITHOUT ROWID;
    CREATE TABLE branch(
      point TEXT, launch INTEGER, pc INTEGER, ptx_line INTEGER, file TEXT, line INTEGER,
      executions INTEGER, divergent INTEGER, mean_splits REAL, lost_lane_slots INTEGER,
      PRIMARY KEY(point, launch, pc)) WITHOUT ROWID;
    CREATE TABLE instruction(
      point TEXT, launch INTEGER, pc INTEGER, ptx_line INTEGER, file TEXT, line INTEGER, {},
      PRIMARY KEY(point, launch, pc)) WITHOUT ROWID;
  )",
                           count_columns()));
  return database;
}

Json optional(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) ? object.at(key) : Json();
}

/// What needs timing, of totals. They hold zeros where no launch was timed.
Json timed(const Json& totals, const char* key) {
  return optional(totals, "launches") == 0 ? Json() : optional(totals, key);
}

/// Of a GPU beside its totals, where it was asked for; of a CPU core always, among them.
Json nanojoules(const Json& result) {
  const Json energy = optional(result, "energy");
  return optional(energy.is_null() ? optional(optional(result, "totals"), "energy") : energy, "total");
}

/// Of a name in SQL.
std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

/// Of a text in SQL.
std::string literal(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + '\'';
}

constexpr std::size_t kInstructionKeys = 6;  // that tell an instruction from others, before its counts

/// What every row of a view says of its point.
constexpr const char* kProvenance =
    "p.label, p.program, p.arguments, p.machine, p.core, p.program_sha256, p.inputs, p.machine_sha256, p.overrides, "
    "p.options, p.simulator_version, p.simulator_commit, p.simulator_build";

}  // namespace

Tables::Tables(Database& database)
    : database_(with_tables(database)),
      points_(database, "INSERT INTO point VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
      axes_(database, "INSERT INTO axis VALUES(?,?,?)"),
      groups_(database, "INSERT INTO kernel_group VALUES(?,?,?,?,?,?,?,?,?,?)"),
      launches_(database, "INSERT INTO launch VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"),
      branches_(database, "INSERT INTO branch VALUES(?,?,?,?,?,?,?,?,?,?)"),
      instructions_(database, fmt::format("INSERT INTO instruction VALUES({})",
                                          places(kInstructionKeys + line_columns().size()))) {}

void Tables::add(const std::string& id, const Json& document) {
  try {
    add_point(id, document);
    for (const auto& [axis, value] : document.at("point").at("axes").items()) {
      axes_.insert({id, axis, value});
      axis_names_.insert(axis);
    }
    add_groups(id, optional(document, "groups"), optional(document.at("point"), "groups"));
    std::size_t number = 0;
    for (const Json& launch : optional(optional(document, "result"), "launches")) add_launch(id, number++, launch);
  } catch (const Json::exception& error) {
    throw Error("{}.json: is no point's document: {}", id, error.what());
  }
}

void Tables::add_point(const std::string& id, const Json& document) {
  const Json& point = document.at("point");
  const Json& program = point.at("program");
  const Json& machine = point.at("machine");
  const Json& simulator = point.at("simulator");
  const Json failure = optional(document, "failure"), result = optional(document, "result");
  const Json totals = optional(result, "totals");
  points_.insert({id,
                  point.at("hash"),
                  failure.is_null() ? "done" : "failed",
                  optional(failure, "cause"),
                  optional(failure, "message"),
                  point.at("label"),
                  program.at("name"),
                  program.at("kind"),
                  point.at("arguments").dump(),
                  machine.at("name"),
                  machine.at("core"),
                  point.at("options").dump(),
                  program.at("sha256"),
                  point.at("inputs").dump(),
                  machine.at("sha256"),
                  point.at("overrides").dump(),
                  simulator.at("version"),
                  simulator.at("commit"),
                  optional(simulator, "build"),
                  timed(totals, "cycles"),
                  optional(totals, "warp_instructions"),
                  optional(totals, "thread_instructions"),
                  optional(optional(result, "recording"), "instructions"),
                  optional(totals, "simd_efficiency"),
                  timed(totals, "ipc"),
                  nanojoules(result),
                  totals.is_null() ? totals : Json(totals.dump())});
}

void Tables::add_groups(const std::string& id, const Json& groups, const Json& kernels) {
  for (const auto& [name, totals] : groups.items())
    groups_.insert({id, name, kernels.at(name), timed(totals, "cycles"), optional(totals, "warp_instructions"),
                    optional(totals, "thread_instructions"), optional(totals, "simd_efficiency"), timed(totals, "ipc"),
                    optional(optional(totals, "energy"), "total"), totals.dump()});
}

void Tables::add_launch(const std::string& id, std::size_t number, Json launch) {
  for (const Json& branch : optional(launch, "branches")) add_branch(id, number, branch);
  add_instructions(id, number, launch);
  for (const char* part : {"branches", "lines"}) launch.erase(part);
  launches_.insert({id, number, launch.at("name"), launch.at("mode"), launch.at("grid").dump(),
                    launch.at("block").dump(), optional(launch, "cycles"), launch.at("warp_instructions"),
                    launch.at("thread_instructions"), launch.at("simd_efficiency"), optional(launch, "ipc"),
                    launch.dump()});
}

void Tables::add_branch(const std::string& id, std::size_t number, const Json& branch) {
  const Json source = optional(branch, "source");
  branches_.insert({id, number, branch.at("pc"), branch.at("ptx_line"), optional(source, "file"),
                    optional(source, "line"), branch.at("executions"), branch.at("divergent"), branch.at("mean_splits"),
                    branch.at("lost_lane_slots")});
}

/// All of them where their costs were counted, else those that are known of: branches.
void Tables::add_instructions(const std::string& id, std::size_t number, const Json& launch) {
  const Json lines = optional(launch, "lines");
  for (const Json& branch : lines.is_null() ? optional(launch, "branches") : Json()) {
    const Json source = optional(branch, "source");
    std::vector<Json> row = {
        id, number, branch.at("pc"), branch.at("ptx_line"), optional(source, "file"), optional(source, "line")};
    row.resize(kInstructionKeys + columns_.size());
    instructions_.insert(row);
  }
  for (const Json& instruction : optional(lines, "instructions")) {
    const bool is_known = instruction.at("line") != 0;
    std::vector<Json> row = {id,
                             number,
                             instruction.at("pc"),
                             instruction.at("ptx_line"),
                             is_known ? instruction.at("file") : Json(),
                             is_known ? instruction.at("line") : Json()};
    for (const LineColumn& column : columns_) row.push_back(instruction.at(column.place));
    instructions_.insert(row);
  }
}

void Tables::make_views() {
  std::string axes;
  for (const std::string& name : axis_names_)
    axes +=
        fmt::format(", (SELECT value FROM axis WHERE point = p.id AND name = {}) AS {}", literal(name), quoted(name));
  const std::string provenance = kProvenance + axes;
  database_.run(fmt::format("CREATE VIEW points AS SELECT p.*{} FROM point p", axes));
  database_.run(
      fmt::format("CREATE VIEW kernels AS SELECT l.*, {} FROM launch l JOIN point p ON p.id = l.point", provenance));
  database_.run(fmt::format("CREATE VIEW groups AS SELECT g.*, {} FROM kernel_group g JOIN point p ON p.id = g.point",
                            provenance));
  const std::string branches = "branch b JOIN launch l USING(point, launch) JOIN point p ON p.id = b.point";
  database_.run(fmt::format("CREATE VIEW branches AS SELECT b.*, l.kernel, {} FROM {}", provenance, branches));
  std::string counts;
  for (const LineColumn& column : columns_) counts += fmt::format("sum(i.{0}) AS {0}, ", column.name);
  database_.run(fmt::format(
      "CREATE VIEW lines AS SELECT i.point, i.launch, l.kernel, i.file, i.line, min(i.ptx_line) AS ptx_line, {}"
      "count(b.pc) AS branches, sum(b.executions) AS executions, sum(b.divergent) AS divergent, "
      "sum(b.lost_lane_slots) AS branch_lost_lane_slots, {} FROM instruction i JOIN launch l USING(point, launch) "
      "JOIN point p ON p.id = i.point LEFT JOIN branch b USING(point, launch, pc) "
      "GROUP BY i.point, i.launch, i.file, i.line, CASE WHEN i.line IS NULL THEN i.ptx_line END",
      counts, provenance));
}

}  // namespace warpfork::results
