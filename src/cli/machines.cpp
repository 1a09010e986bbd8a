#include <fmt/format.h>

#include <memory>

#include "base/wrapped.h"
#include "cli/commands.h"
#include "cli/key_listing.h"
#include "simulation/simulation.h"

namespace warpfork::cli {

namespace {

void print_list() {
  for (const std::string& name : simulation::machine_names())
    fmt::print("{}", wrapped(simulation::machine_description(name).at("summary").get<std::string>(),
                             fmt::format("{:<12}  ", name), "              "));
}

}  // namespace

void add_machines(Command& app, Session&) {
  Command command = app.add_command("machines", "list the machines, or every key of one");
  const auto machine = std::make_shared<std::string>();
  command.add_option("MACHINE", *machine, "print every key of this machine, its value and its meaning")
      .help_name("[NAME|FILE.toml]");
  command.when_named([machine] { machine->empty() ? print_list() : print_keys(simulation::machine_keys(*machine)); });
}

}  // namespace warpfork::cli
