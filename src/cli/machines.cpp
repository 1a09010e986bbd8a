#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/simulation.h"

namespace warpfork::cli {

namespace {

void print_list() {
  for (const std::string& name : machine_names())
    fmt::print("{:<12}  {}\n", name, machine_description(name).at("summary").get<std::string>());
}

constexpr std::size_t kWidestPair = 48;  // a longer one pushes its own comment only

void print_keys(const std::string& machine) {
  const std::vector<config::Key> keys = machine_keys(machine);
  std::size_t width = 0;
  for (const config::Key& key : keys) width = std::max(width, key.path.size() + 3 + key.value.size());
  width = std::min(width, kWidestPair);
  for (const config::Key& key : keys)
    fmt::print("{:<{}}  # {}\n", fmt::format("{} = {}", key.path, key.value), width, key.doc);
}

}  // namespace

void add_machines(CLI::App& app, Session&) {
  CLI::App* command = app.add_subcommand("machines", "list the machines, a line each, or every key of one");
  const auto machine = std::make_shared<std::string>();
  command->add_option("MACHINE", *machine, "print every key of this machine, its value and its meaning")
      ->option_text("[NAME|FILE.toml]");
  command->callback([machine] { machine->empty() ? print_list() : print_keys(*machine); });
}

}  // namespace warpfork::cli
