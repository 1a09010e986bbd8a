// `warpfork cpu cores` and `warpfork cpu machine`: what there is.
#include <fmt/format.h>

#include <memory>

#include "cli/cpu.h"
#include "cli/key_listing.h"
#include "ooo/buffer_sharing.h"
#include "ooo/cores.h"
#include "ooo/disambiguation.h"
#include "ooo/issue_order.h"
#include "ooo/rename/registry.h"
#include "ooo/width_unit.h"

namespace warpfork::cli {

namespace {

template <class Choices>
void print_choices(const char* what, const char* key, const Choices& choices) {
  fmt::print("\n{} (--set {}=NAME):\n", what, key);
  for (const auto& choice : choices) fmt::print("{:<13}  {}\n", choice.name, choice.summary);
}

void print_cores() {
  for (const ooo::CoreRecipe& core : ooo::core_recipes())
    fmt::print("{:<13}  {}  [{}]\n", core.name, core.summary, core.paper);
  fmt::print("\nrename strategies of simt-x (--set rename=NAME):\n");
  for (const ooo::RenameStrategyEntry& strategy : ooo::rename_strategies())
    fmt::print("{:<13}  {}  [{}]\n", strategy.name, strategy.summary, strategy.paper);
  print_choices("loads of smt and simt-x among older stores", "disambiguation", ooo::kDisambiguations);
  print_choices("order of issue of ditva", "issue_order", ooo::kIssueOrders);
  print_choices("entries of the reorder buffer", "reorder_buffer_sharing", ooo::kBufferSharings);
  print_choices("what widths count", "widths", ooo::kWidthUnits);
}

void print_machine(const std::string& file) {
  ooo::MachineSpec machine;
  if (!file.empty()) config::bind(machine, file);
  print_keys(config::keys(machine));
}

}  // namespace

void add_cpu_lists(Command& cpu, Session&) {
  Command cores =
      cpu.add_command("cores", "list the cores, their rename strategies and what the paper leaves open of them");
  cores.when_named([] { print_cores(); });
  Command machine = cpu.add_command("machine", "every key of a core's description, its value and its meaning");
  const auto file = std::make_shared<std::string>();
  machine.add_option("FILE", *file, "of this description; default: Table I of SIMT-X").help_name("[FILE.toml]");
  machine.when_named([file] { print_machine(*file); });
}

}  // namespace warpfork::cli
