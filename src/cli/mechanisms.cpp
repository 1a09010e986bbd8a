#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "divergence/registry.h"

namespace warpfork::cli {

void add_mechanisms(CLI::App& app, Session&) {
  app.add_subcommand("mechanisms", "list the divergence mechanisms, a line each")->callback([] {
    for (const DivergenceMechanism& mechanism : divergence_mechanisms())
      fmt::print("{:<14}  {}  [{}]\n", mechanism.name, mechanism.summary, mechanism.paper);
  });
}

}  // namespace warpfork::cli
