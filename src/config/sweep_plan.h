// A sweep: programs, machines and axes of parameters, whose combinations are its points.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warpfork::config {

/// What `{AXIS}` stands in is replaced by that axis' value at a point: all strings of a program and a machine but their
/// names.
struct SweepProgram {
  std::string name;
  std::string file;    // an executable, a bare kernel (.ptx) or a recording (.wft)
  std::string launch;  // of a bare kernel
  std::vector<std::string> arguments;
  std::string place;  // "file:line:column: error: ", for messages

  bool is_saved_launch() const { return file.ends_with(".wfl"); }
  bool is_recording() const { return file.ends_with(".wft"); }
};

/// A GPU, or with `core` a CPU core, which runs recordings.
struct SweepMachine {
  std::string name;
  std::string description;             // name or file; of a CPU empty = the default core
  std::string core;                    // of a CPU
  std::vector<std::string> overrides;  // path.to.key=value
  std::string place;
};

struct SweepAxis {
  std::string name;
  std::vector<nlohmann::ordered_json> values;
  std::string key;                    // of machines that its values are given to; empty = they stand for {name}
  std::vector<std::string> machines;  // with `key`: names; empty = all
  std::string zip;                    // axes of one zip step together; empty = it steps by itself
  std::string place;
};

/// Points that have one of the values everywhere.
struct SweepExclusion {
  std::map<std::string, std::vector<std::string>> values;  // by axis, or "program" and "machine": their names
  std::string place;
};

/// Of runs on GPUs.
struct SweepOptions {
  bool functional_only = false, energy = false, lines = false;
  std::string kernels;
  std::uint64_t max_cycles = 0;
  std::string place;  // of the first that makes a difference; empty = none does
};

struct SweepPlan {
  std::string title;
  SweepOptions options;
  std::vector<SweepProgram> programs;
  std::vector<SweepMachine> machines;
  std::vector<SweepAxis> axes;
  std::vector<SweepExclusion> exclusions;
};

/// A value as it stands in an argument, a machine's key or a message: strings without quotes.
std::string sweep_text(const nlohmann::ordered_json& value);

/// Which no axis may have: columns of the results' database (docs/sweep.md), in which an axis is a column, too.
const std::vector<std::string>& reserved_axis_names();

/// Reads a plan (docs/sweep.md); `name` is what messages call the file. Throws Error with file, line and column for
/// whatever is wrong in it.
SweepPlan parse_sweep(std::string_view text, std::string_view name);

}  // namespace warpfork::config
