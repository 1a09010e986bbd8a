#include "cli/cpu.h"

namespace warpfork::cli {

void add_cpu(Command& app, Session& session) {
  Command group = app.add_command("cpu", "recorded x86-64 programs on CPU cores, out of order or in order");
  group.require_command();
  for (auto* add : {add_cpu_run, add_cpu_compare, add_cpu_lists, add_cpu_dump}) add(group, session);
}

}  // namespace warpfork::cli
