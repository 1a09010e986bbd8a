// The options of `run`, `compare` and `explain`, and where they end and those of the program begin.
#pragma once

#include <string>
#include <vector>

#include "simulation/work_options.h"

namespace CLI {
class App;
}

namespace warpfork::cli {

using simulation::MechanismChoice;
using simulation::WorkOptions;

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
