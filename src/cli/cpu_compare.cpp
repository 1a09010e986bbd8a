#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/named.h"
#include "cli/cpu.h"
#include "cli/cpu_options.h"
#include "cli/cpu_progress.h"
#include "cli/cpu_table.h"
#include "process/output_file.h"
#include "report/result_document.h"

namespace warpfork::cli {

namespace {

struct CompareOptions : CpuOptions {
  std::vector<std::string> cores = ooo::core_names();
};

void write_documents(const std::string& file, const std::vector<simulation::CpuResult>& results) {
  report::Json documents = report::Json::array();
  for (const simulation::CpuResult& result : results) documents.push_back(result.document());
  process::write_text(file, report::write_document({{"schema", 1}, {"results", documents}}));
}

void compare(const CompareOptions& options) {
  process::require_apart({options.json}, {options.recording, options.machine});
  process::require_writable(options.json);
  for (const std::string& core : options.cores) ooo::find_core(core);  // throws for an unknown one
  require_distinct("--cores", options.cores);
  simulation::require_use(options.overrides, options.cores);
  const x86::Recording recording(options.recording);
  const ooo::Replay replay = read_replay(recording);
  const ooo::MachineSpec machine = simulation::cpu_machine(options, replay.contexts());
  std::vector<simulation::CpuResult> results;
  for (const std::string& core : options.cores) {
    CpuProgress progress(core, replay.instructions());
    results.push_back(simulation::run_core(recording, replay, core, machine, std::ref(progress)));
  }
  if (!options.json.empty()) write_documents(options.json, results);
  if (options.json != "-") std::cout << cpu_table(results);
}

}  // namespace

void add_cpu_compare(Command& cpu, Session&) {
  Command command = cpu.add_command("compare", "the same recording on several cores, in one table");
  command.footer("Speed-ups are against the first core. docs/cpu.md explains the cores and what is reported.");
  const auto options = std::make_shared<CompareOptions>();
  command.add_option("--cores", options->cores, "the cores, separated by commas; default: all")
      .separated_by_commas()
      .repeatable()
      .value_name("NAME,NAME…");
  add_cpu_options(command, *options);
  command.when_named([options] { compare(*options); });
}

}  // namespace warpfork::cli
