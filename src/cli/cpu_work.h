// What `warpfork cpu run` and `warpfork cpu compare` have in common: a recording, a machine, and results.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
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

/// On a terminal, after a second: "simt-x: 12 345 678 of 745 269 000 instructions".
class CpuProgress {
 public:
  CpuProgress(std::string core, std::uint64_t instructions) : core_(std::move(core)), instructions_(instructions) {}
  ~CpuProgress();
  CpuProgress(const CpuProgress&) = delete;
  CpuProgress& operator=(const CpuProgress&) = delete;

  void operator()(std::uint64_t instructions);

 private:
  std::string core_;
  std::uint64_t instructions_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Reads the recording; on a terminal it says how far it is.
ooo::Replay read_replay(const x86::Recording& recording);

/// The result document of a run.
report::Json run_core(const x86::Recording& recording, const ooo::Replay& replay, const std::string& core,
                      const ooo::MachineSpec& machine, const ooo::Replay::Progress& progress,
                      std::span<ooo::CoreListener* const> listeners = {});

/// A row for each result, and where the cycles of its warps went: what docs/cpu.md explains.
///
///   core     cycles  speed-up   IPC  occupancy  mispredicted  divergent  merges    energy
///   smt     174 339     1.00×  2.37       1.00        3.87 %     0.00 %  0.0 /k  391.2 µJ
///
///   cycles of a warp    busy  memory  latency  width  rename  front_end  waiting  ended
///   smt               41.0 %  30.0 %   10.0 %  5.0 %   9.0 %      3.0 %    1.0 %  1.0 %
std::string cpu_table(const std::vector<report::Json>& results);

}  // namespace warpfork::cli
