#include "config/sweep_plan.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>

#include "base/error.h"
#include "base/named.h"
#include "base/text.h"
#include "base/wrapped.h"
#include "config/sweep_axis.h"
#include "config/table_reader.h"

namespace warpfork::config {

namespace {

/// In the order of the alphabet.
constexpr const char* kReserved =
    "arguments awaited block branch_lost_lane_slots branches cause conflict_rounds core cycles divergent "
    "excess_transactions executions file grid hash id inputs instructions ipc issues kernel kernels kind "
    "label launch line lost_lane_slots machine machine_sha256 mean_splits message misses mode name "
    "nanojoules options overrides pc point program program_sha256 ptx_line record requests "
    "shared_requests simd_efficiency simulator_build simulator_commit simulator_version stalled_barrier "
    "stalled_compaction stalled_fetch stalled_memory stalled_no_warp stalled_pipeline stalled_scoreboard "
    "state thread_instructions totals transactions warp_instructions";

/// Reads the tables of one file.
class SweepReader {
 public:
  explicit SweepReader(std::string_view file) : file_(file) {}

  SweepPlan read(const toml::table& root) {
    const TableReader top(root, file_, "a sweep",
                          {"title", "functional_only", "energy", "lines", "kernels", "max_cycles", "program", "machine",
                           "axis", "exclude"});
    if (top.has("title")) plan_.title = top.text("title");
    plan_.options = options(top);
    for (const toml::table* table : top.tables("program")) plan_.programs.push_back(program(*table));
    for (const toml::table* table : top.tables("machine")) plan_.machines.push_back(machine(*table));
    if (plan_.programs.empty()) throw Error("{}a sweep needs a [[program]]", top.place("program"));
    if (plan_.machines.empty()) throw Error("{}a sweep needs a [[machine]]", top.place("machine"));
    for (const toml::table* table : top.tables("axis")) plan_.axes.push_back(axis(*table));
    for (const SweepAxis& axis : plan_.axes) require_company(axis);
    for (const toml::table* table : top.tables("exclude")) plan_.exclusions.push_back(exclusion(*table));
    return std::move(plan_);
  }

 private:
  static SweepOptions options(const TableReader& top) {
    SweepOptions options;
    options.functional_only = top.has("functional_only") && top.boolean("functional_only");
    options.energy = top.has("energy") && top.boolean("energy");
    options.lines = top.has("lines") && top.boolean("lines");
    for (const auto& [asked, key] : {std::pair(options.energy, "energy"), std::pair(options.lines, "lines")})
      if (options.functional_only && asked)
        throw Error("{}'{}' needs timing: it cannot stand beside 'functional_only'", top.place(key), key);
    if (top.has("kernels")) options.kernels = top.text("kernels");
    if (top.has("max_cycles")) options.max_cycles = top.natural("max_cycles", INT64_MAX);
    for (const auto& [asked, key] :
         {std::pair(options.functional_only, "functional_only"), std::pair(options.energy, "energy"),
          std::pair(options.lines, "lines"), std::pair(!options.kernels.empty(), "kernels"),
          std::pair(options.max_cycles != 0, "max_cycles")})
      if (asked && options.place.empty()) options.place = top.place(key);
    return options;
  }

  SweepProgram program(const toml::table& table) const {
    const TableReader reader(table, file_, "a program", {"name", "file", "launch", "arguments"});
    SweepProgram program;
    program.place = reader.place("file");
    program.file = reader.text("file");
    program.name = reader.has("name") ? reader.text("name") : program.file;
    require_new(reader, program.name, names_of(plan_.programs), "programs");
    program.arguments = reader.texts("arguments");
    if (reader.has("launch")) program.launch = reader.text("launch");
    const bool is_kernel = program.file.ends_with(".ptx");
    if (is_kernel && program.launch.empty())
      throw Error("{}a bare kernel needs the key 'launch': its launch file", reader.place("file"));
    if (!is_kernel && !program.launch.empty()) throw Error("{}'launch' goes with a .ptx file", reader.place("launch"));
    if ((is_kernel || program.is_saved_launch() || program.is_recording()) && !program.arguments.empty())
      throw Error("{}a {} takes no arguments", reader.place("arguments"),
                  is_kernel                   ? "bare kernel"
                  : program.is_saved_launch() ? "saved launch"
                                              : "recording");
    return program;
  }

  SweepMachine machine(const toml::table& table) const {
    const TableReader reader(table, file_, "a machine", {"name", "machine", "core", "set"});
    SweepMachine machine;
    if (reader.has("core")) machine.core = reader.text("core");
    if (reader.has("machine") || machine.core.empty()) machine.description = reader.text("machine");
    machine.place = reader.place(machine.core.empty() ? "machine" : "core");
    machine.name = reader.has("name") ? reader.text("name") : machine.core.empty() ? machine.description : machine.core;
    require_new(reader, machine.name, names_of(plan_.machines), "machines");
    machine.overrides = reader.texts("set");
    return machine;
  }

  SweepAxis axis(const toml::table& table) const {
    const TableReader reader(table, file_, "an axis",
                             {"name", "values", "from", "to", "step", "factor", "set", "machines", "zip"});
    SweepAxis axis;
    axis.place = reader.place("name");
    axis.name = reader.text("name");
    require_free(axis);
    require_new(reader, axis.name, names_of(plan_.axes), "axes");
    axis.values = sweep_values(reader);
    if (reader.has("set")) axis.key = reader.text("set");
    if (reader.has("machines") && axis.key.empty())
      throw Error("{}'machines' goes with 'set'", reader.place("machines"));
    axis.machines = reader.choices("machines", names_of(plan_.machines));
    require_own_key(reader, axis);
    if (reader.has("zip")) axis.zip = reader.text("zip");
    for (const SweepAxis& other : plan_.axes)
      if (!axis.zip.empty() && other.zip == axis.zip && other.values.size() != axis.values.size())
        throw Error("{}zip '{}': axis '{}' has {}, '{}' has {}\n  axes that step together have as many",
                    reader.place("zip"), axis.zip, axis.name, counted(axis.values.size(), "value"), other.name,
                    other.values.size());
    return axis;
  }

  SweepExclusion exclusion(const toml::table& table) const {
    std::vector<std::string> keys = names_of(plan_.axes);
    keys.insert(keys.begin(), {"program", "machine"});
    const TableReader reader(table, file_, "an exclusion", keys);
    SweepExclusion exclusion;
    for (const std::string& key : keys) {
      if (!reader.has(key)) continue;
      for (const auto& value : reader.values(key)) exclusion.values[key].push_back(sweep_text(value));
      exclusion.place = reader.place(key);
    }
    if (exclusion.values.empty()) throw Error("{}an exclusion without a key excludes every point", reader.place(""));
    return exclusion;
  }

  static void require_free(const SweepAxis& axis) {
    if (axis.name.find_first_of("{}") != std::string::npos)
      throw Error("{}an axis cannot have this name: braces stand for axes", axis.place);
    std::string name = axis.name;  // SQL takes both cases for the same
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::vector<std::string>& reserved = reserved_axis_names();
    if (std::ranges::find(reserved, name) != reserved.end())
      throw Error("{}an axis cannot have this name: a column of the results has it\n{}", axis.place,
                  wrapped(fmt::format("{}", fmt::join(reserved, ", ")), "  these have: ", "    "));
  }

  /// Of two values only the last would count, and the points would say otherwise.
  void require_own_key(const TableReader& reader, const SweepAxis& axis) const {
    const auto overlap = [](const std::vector<std::string>& one, const std::vector<std::string>& other) {
      return one.empty() || other.empty() || std::ranges::find_first_of(one, other) != one.end();
    };
    for (const SweepAxis& other : plan_.axes)
      if (!axis.key.empty() && other.key == axis.key && overlap(axis.machines, other.machines))
        throw Error("{}axis '{}' sets '{}', too\n  let one axis set it, or give each axis machines of its own",
                    reader.place("set"), other.name, axis.key);
  }

  void require_company(const SweepAxis& axis) const {
    if (!axis.zip.empty() && std::ranges::count(plan_.axes, axis.zip, &SweepAxis::zip) == 1)
      throw Error("{}zip '{}': no other axis has it\n  give it to each of the axes that are to step together",
                  axis.place, axis.zip);
  }

  static void require_new(const TableReader& reader, const std::string& name, const std::vector<std::string>& taken,
                          std::string_view what) {
    if (std::ranges::find(taken, name) != taken.end())
      throw Error("{}there are two {} of the name '{}'\n  give one another 'name'", reader.place("name"), what, name);
  }

  std::string_view file_;
  SweepPlan plan_;
};

}  // namespace

const std::vector<std::string>& reserved_axis_names() {
  static const std::vector<std::string> names = [] {
    std::istringstream text(kReserved);
    return std::vector<std::string>{std::istream_iterator<std::string>(text), {}};
  }();
  return names;
}

std::string sweep_text(const nlohmann::ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

SweepPlan parse_sweep(std::string_view text, std::string_view name) {
  return SweepReader(name).read(parse_toml(text, name));
}

}  // namespace warpfork::config
