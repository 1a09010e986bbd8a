#include "cli/cpu.h"

#include <CLI/CLI.hpp>

namespace warpfork::cli {

void add_cpu(CLI::App& app, Session& session) {
  CLI::App* group = app.add_subcommand("cpu", "recorded x86-64 programs on out-of-order cores");
  group->require_subcommand(1);
  for (auto* add : {add_cpu_run, add_cpu_compare, add_cpu_lists, add_cpu_dump}) add(*group, session);
}

}  // namespace warpfork::cli
