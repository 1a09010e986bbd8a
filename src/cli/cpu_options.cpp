#include "cli/cpu_options.h"

#include <CLI/CLI.hpp>

namespace warpfork::cli {

void add_cpu_options(CLI::App& command, CpuOptions& options) {
  command.add_option("RECORDING", options.recording, "file that `warpfork record` made")
      ->required()
      ->option_text("RECORDING.wft");
  command.add_option("--warps", options.warps, "warps of the core; default: 2, or 1 for one thread")
      ->check(CLI::Range(1u, ooo::kMaxLanes))
      ->type_name("W");
  command.add_option("--threads", options.threads, "threads of a warp; default: as many as the recording needs")
      ->check(CLI::Range(1u, ooo::kMaxLanes))
      ->type_name("T");
  command.add_option("--machine", options.machine, "description of the core; default: Table I of SIMT-X")
      ->type_name("FILE.toml");
  command.add_option("--set", options.overrides, "change one key of the machine (`warpfork cpu machine`); repeatable")
      ->allow_extra_args(false)
      ->type_name("path.to.key=value");
  command.add_option("--json", options.json, "write the whole result here; - is standard output")->type_name("FILE");
}

}  // namespace warpfork::cli
