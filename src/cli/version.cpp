#include "process/version.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace warpfork::cli {

void add_version(CLI::App& app, Session&) {
  app.add_subcommand("version", "print version and commit")->callback([] {
    fmt::print("{}\n", process::version_text());
  });
}

}  // namespace warpfork::cli
