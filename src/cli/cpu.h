// The commands of `warpfork cpu`: recorded x86-64 programs on CPU cores. One file each.
#pragma once

#include "cli/commands.h"

namespace warpfork::cli {

void add_cpu_run(Command& cpu, Session& session);
void add_cpu_compare(Command& cpu, Session& session);
void add_cpu_lists(Command& cpu, Session& session);
void add_cpu_dump(Command& cpu, Session& session);

}  // namespace warpfork::cli
