#include "cli/version.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "warpfork_version.h"  // made by cmake/version.cmake

namespace warpfork::cli {

report::Tool tool() { return {WARPFORK_VERSION, WARPFORK_COMMIT}; }

std::string version_text() { return fmt::format("warpfork {} (commit {})", tool().version, tool().commit); }

void add_version(CLI::App& app, Session&) {
  app.add_subcommand("version", "print version and commit")->callback([] { fmt::print("{}\n", version_text()); });
}

}  // namespace warpfork::cli
