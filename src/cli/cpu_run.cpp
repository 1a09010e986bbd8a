#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/cpu.h"
#include "cli/cpu_work.h"
#include "cli/work.h"

namespace warpfork::cli {

namespace {

struct RunOptions : CpuOptions {
  std::string core = "simt-x";
};

void run(const RunOptions& options) {
  const x86::Recording recording(options.recording);
  ooo::find_core(options.core);  // throws for an unknown one
  const ooo::Replay replay(recording);
  CpuProgress progress(options.core, replay.instructions());
  const ooo::MachineSpec machine = cpu_machine(options, replay.threads());
  const report::Json result = run_core(recording, replay, options.core, machine, &progress);
  if (!options.json.empty()) write_text(options.json, report::write_document(result));
  if (options.json != "-") std::cout << cpu_table({result});
}

}  // namespace

void add_cpu_run(CLI::App& cpu, Session&) {
  CLI::App* command = cpu.add_subcommand("run", "run a recording on a core");
  command->footer("docs/cpu.md explains the cores and what is reported.");
  const auto options = std::make_shared<RunOptions>();
  command->add_option("--core", options->core, "core: " + fmt::format("{}", fmt::join(ooo::core_names(), ", ")))
      ->capture_default_str()
      ->type_name("NAME");
  add_cpu_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace warpfork::cli
