// What `run`, `compare` and `explain` are asked to do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explain/request.h"
#include "report/result_document.h"

namespace CLI {
class App;
}

namespace warpfork::cli {

/// Names; empty = as the machine says.
struct MechanismChoice {
  std::string divergence, lanes;
};

struct WorkOptions {
  std::string machine = "gtx480";
  MechanismChoice mechanisms;                   // of `run` and `explain`
  std::vector<std::string> divergences, lanes;  // of `compare`
  std::string scheduler;                        // empty = as the machine says
  std::vector<std::string> overrides;           // path.to.key=value
  bool functional_only = false;
  std::string kernels;           // regular expression, empty = all
  std::uint64_t max_cycles = 0;  // of one launch, 0 = no limit
  std::string launch;            // launch file of a bare kernel
  std::string json;              // file, "-" = standard output, empty = none
  std::string host_time;         // file, empty = none
  explain::Request explain;      // `explain`: which warp
  std::string graph;             // `explain`: file, empty = none

  std::string program;  // an executable, or a file that ends in .ptx
  std::vector<std::string> arguments;

  bool is_bare_kernel() const { return program.ends_with(".ptx"); }
};

/// Adds to a command what says on which machine the work is done. The command's own words end at PROGRAM; whatever
/// follows belongs to the program.
void add_machine_options(CLI::App& command, WorkOptions& options);

/// Which mechanisms, where one of each kind is chosen.
void add_mechanism_options(CLI::App& command, MechanismChoice& choice);

/// These and all others that `run` and `compare` share.
void add_work_options(CLI::App& command, WorkOptions& options);

/// Sets `program` and `arguments` from what `command` left unparsed. The options of a bare kernel, which has no
/// arguments of its own, may also follow it: `words` (the whole command line) is then read again by `add_options`
/// without it. Options of ours among a program's arguments are noted on standard error. Throws CLI::ParseError for bad
/// usage and Error for options that do not go together.
void take_program(const CLI::App& command, const std::vector<std::string>& words, WorkOptions& options,
                  void (*add_options)(CLI::App&, WorkOptions&));

}  // namespace warpfork::cli
