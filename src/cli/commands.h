// The commands of the program `warpfork`, one file each.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace warpfork::cli {

/// What a command leaves to main.
struct Session {
  std::vector<std::string> words;  // the command line behind the command's name
  int status = 0;                  // exit status
};

// Each adds its command with options and help to `app`; the command runs when the command line names it, throws Error
// for bad input and leaves its exit status in `session`.
void add_run(Command& app, Session& session);
void add_compare(Command& app, Session& session);
void add_contestant(Command& app, Session& session);
void add_explain(Command& app, Session& session);
void add_experiment(Command& app, Session& session);
void add_inspect(Command& app, Session& session);
void add_machines(Command& app, Session& session);
void add_mechanisms(Command& app, Session& session);
void add_cc(Command& app, Session& session);
void add_cpu(Command& app, Session& session);
void add_record(Command& app, Session& session);
void add_completion(Command& app, Session& session);
void add_manual(Command& app, Session& session);
void add_plot(Command& app, Session& session);
void add_report(Command& app, Session& session);
void add_results(Command& app, Session& session);
void add_step(Command& app, Session& session);
void add_sweep(Command& app, Session& session);
void add_sweep_point(Command& app, Session& session);
void add_sweep_task(Command& app, Session& session);
void add_why(Command& app, Session& session);
void add_version(Command& app, Session& session);

}  // namespace warpfork::cli
