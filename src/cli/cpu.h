// The commands of `warpfork cpu`: recorded x86-64 programs on out-of-order cores. One file each.
#pragma once

#include "cli/commands.h"

namespace warpfork::cli {

void add_cpu_run(CLI::App& cpu, Session& session);
void add_cpu_compare(CLI::App& cpu, Session& session);
void add_cpu_lists(CLI::App& cpu, Session& session);
void add_cpu_dump(CLI::App& cpu, Session& session);

}  // namespace warpfork::cli
