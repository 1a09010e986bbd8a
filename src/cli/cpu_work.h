// What `warpfork cpu run` and `warpfork cpu compare` have in common: a recording, a machine, and results.
#pragma once

#include <string>
#include <vector>

#include "ooo/replay.h"
#include "report/result_document.h"

namespace CLI {
class App;
}

namespace warpfork::cli {

struct CpuOptions {
  std::string recording, machine, json;
  unsigned warps = 0, threads = 0;  // 0: as many as the recording needs
  std::vector<std::string> overrides;
};

/// RECORDING, --warps, --threads, --machine, --set and --json.
void add_cpu_options(CLI::App& command, CpuOptions& options);

/// The machine that the options describe, wide enough for the recording's threads if they do not say how wide: two
/// warps, or one if there is one thread.
ooo::MachineSpec cpu_machine(const CpuOptions& options, unsigned threads);

/// Runs it, with a progress line on a terminal.
report::Json run_core(const x86::Recording& recording, const ooo::Replay& replay, const std::string& core,
                      const ooo::MachineSpec& machine);

/// A row for each result: what docs/cpu.md explains.
///
///   core     cycles  speed-up   IPC  occupancy  mispredicted  divergent  merges
///   smt      483 224     1.00×  1.54       1.00      4.42 /k      0.00 %  0.0 /k
std::string cpu_table(const std::vector<report::Json>& results);

}  // namespace warpfork::cli
