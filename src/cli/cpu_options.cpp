#include "cli/cpu_options.h"

namespace warpfork::cli {

void add_cpu_options(Command& command, CpuOptions& options) {
  command.add_option("RECORDING", options.recording, "file that `warpfork record` made")
      .required()
      .help_name("RECORDING.wft");
  command.add_option("--warps", options.warps, "warps of the core; default: 2, or 1 for one thread")
      .within(1, ooo::kMaxLanes)
      .value_name("W");
  command.add_option("--threads", options.threads, "threads of a warp; default: as many as the recording needs")
      .within(1, ooo::kMaxLanes)
      .value_name("T");
  command.add_option("--machine", options.machine, "description of the core; default: Table I of SIMT-X")
      .value_name("FILE.toml");
  command.add_option("--set", options.overrides, "change one key of the machine (`warpfork cpu machine`); repeatable")
      .repeatable()
      .value_name("path.to.key=value");
  command.add_option("--json", options.json, "write the whole result here; - is standard output").value_name("FILE");
}

}  // namespace warpfork::cli
