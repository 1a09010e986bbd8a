// The commands of the program `warpfork`, one file each.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace warpfork::cli {

/// What a command leaves to main.
struct Session {
  std::vector<std::string> words;  // the command line behind the command's name
  int status = 0;                  // exit status
};

// Each adds its command with options and help to `app`; the command runs when CLI11 calls it back, throws Error for bad
// input and leaves its exit status in `session`.
void add_run(CLI::App& app, Session& session);
void add_compare(CLI::App& app, Session& session);
void add_explain(CLI::App& app, Session& session);
void add_experiment(CLI::App& app, Session& session);
void add_inspect(CLI::App& app, Session& session);
void add_machines(CLI::App& app, Session& session);
void add_mechanisms(CLI::App& app, Session& session);
void add_cc(CLI::App& app, Session& session);
void add_cpu(CLI::App& app, Session& session);
void add_record(CLI::App& app, Session& session);
void add_version(CLI::App& app, Session& session);

}  // namespace warpfork::cli
