#include <fmt/ranges.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "cli/cpu.h"
#include "cli/cpu_options.h"
#include "cli/cpu_progress.h"
#include "cli/cpu_table.h"
#include "ooo/konata_log.h"
#include "ooo/rename_checker.h"
#include "process/deferred_signals.h"
#include "process/output_file.h"
#include "report/result_document.h"
#include "report/text_table.h"

namespace warpfork::cli {

namespace {

struct RunOptions : CpuOptions {
  std::string core = "simt-x", konata;
  bool check = false;
};

/// Throws for an unknown core, too.
void require_renaming(const RunOptions& options) {
  const ooo::CoreRecipe& core = ooo::find_core(options.core);
  if (options.check && !core.renames)
    throw Error("--check: core '{}' does not rename, so that there is nothing to check", core.name);
}

void run(const RunOptions& options) {
  if (options.konata == "-") throw Error("--konata: a pipeline's log needs a file, it cannot be standard output");
  process::require_apart({options.json, options.konata}, {options.recording, options.machine});
  process::require_writable(options.json);
  const process::DeferredSignals signals;  // before the log, which an interrupt must not leave behind half written
  std::optional<process::OutputFile> log_file;
  if (!options.konata.empty()) log_file.emplace(options.konata);
  require_renaming(options);
  simulation::require_use(options.overrides, {options.core});
  const x86::Recording recording(options.recording);
  const ooo::Replay replay = read_replay(recording);
  CpuProgress progress(options.core, replay.instructions());
  const ooo::MachineSpec machine = simulation::cpu_machine(options, replay.contexts());
  std::vector<ooo::CoreListener*> listeners;
  std::optional<ooo::KonataLog> log;
  if (log_file) listeners.push_back(&log.emplace(log_file->path(), &recording.code()));
  ooo::RenameChecker checker;
  if (options.check) listeners.push_back(&checker);
  const auto interruptible = [&](std::uint64_t instructions) {
    if (signals.came()) throw Error("interrupted");
    progress(instructions);
  };
  const simulation::CpuResult result =
      simulation::run_core(recording, replay, options.core, machine, interruptible, listeners);
  if (log) {
    log->finish();
    log_file->keep();
  }
  if (!options.json.empty()) process::write_text(options.json, report::write_document(result.document()));
  if (options.json == "-") return;
  std::cout << cpu_table({result});
  if (options.check)
    fmt::print("checked: {} µops, {} merges\n", report::grouped(checker.uops_checked()),
               report::grouped(checker.merges_checked()));
}

}  // namespace

void add_cpu_run(Command& cpu, Session&) {
  Command command = cpu.add_command("run", "run a recording on a core");
  command.footer("docs/cpu.md explains the cores and what is reported.");
  const auto options = std::make_shared<RunOptions>();
  command.add_option("--core", options->core, "core: " + fmt::format("{}", fmt::join(ooo::core_names(), ", ")))
      .shows_default()
      .value_name("NAME");
  add_cpu_options(command, *options);
  command.add_option("--konata", options->konata, "write the pipeline's log for the viewer Konata").value_name("FILE");
  command.add_flag("--check", options->check, "hold every µop's renaming to one-thread-at-a-time renaming; slow");
  command.when_named([options] { run(*options); });
}

}  // namespace warpfork::cli
