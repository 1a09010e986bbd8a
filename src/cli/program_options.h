// The options of `run`, `compare` and `explain`, and where they end and those of the program begin.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "simulation/work_options.h"

namespace warpfork::cli {

using simulation::MechanismChoice;
using simulation::WorkOptions;

/// Usage lines of a command that runs a program or a kernel: CLI11 cannot know where its own words end.
std::string program_usage(const std::string& command);

/// What a command whose own words end at a program left unparsed.
struct ProgramWords {
  std::string program;
  std::vector<std::string> arguments;
  std::vector<std::string> around;  // the whole command line without the program's name
};
/// Throws UsageError for a word that looks like an option and is none, and if there is no program: `what` is required.
ProgramWords program_words(const Command& command, const std::vector<std::string>& words, const std::string& what);
/// Reads words once more by options of their own, and returns what is none of them. Throws UsageError for one that
/// looks like an option.
std::vector<std::string> read_again(const std::vector<std::string>& words,
                                    const std::function<void(Command&)>& add_options);

/// Adds to a command what says on which machine the work is done. The command's own words end at PROGRAM; whatever
/// follows belongs to the program.
void add_machine_options(Command& command, WorkOptions& options);

/// Which mechanisms, where one of each kind is chosen.
void add_mechanism_options(Command& command, MechanismChoice& choice);

/// These and all others that `run` and `compare` share.
void add_energy_option(Command& command, WorkOptions& options);
/// Of `run`: where its time goes.
void add_cause_options(Command& command, WorkOptions& options);
void add_threads_option(Command& command, WorkOptions& options);
void add_sample_options(Command& command, WorkOptions& options);
void add_trace_options(Command& command, WorkOptions& options);
void add_work_options(Command& command, WorkOptions& options);

/// Sets `program` and `arguments` from what `command` left unparsed. The options of a bare kernel, which has no
/// arguments of its own, may also follow it: `words` (the whole command line) is then read again by `add_options`
/// without it. Options of ours among a program's arguments are noted on standard error. Throws UsageError for bad
/// usage and Error for options that do not go together.
void take_program(const Command& command, const std::vector<std::string>& words, WorkOptions& options,
                  void (*add_options)(Command&, WorkOptions&));

/// Throws Error for a file to be written that is another one of them, one that the work reads or its program is told
/// of, or one that a launch file has written.
void require_apart(const std::vector<std::string>& written, const WorkOptions& options);

}  // namespace warpfork::cli
