// One run of a recorded x86-64 program on a core: the machine that it is given, and the run.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "ooo/replay.h"
#include "simulation/cpu_result.h"

namespace warpfork::simulation {

struct CpuOptions {
  std::string recording, machine, json;
  unsigned warps = 0, threads = 0;  // 0: as many as the recording needs
  std::vector<std::string> overrides;
};

/// Throws Error, with the cores that use it, for a --set of a key that none of `cores` uses. A machine file may hold
/// such keys: it describes one machine for all cores.
void require_use(const std::vector<std::string>& overrides, const std::vector<std::string>& cores);

/// As the options describe it; warps or threads that they do not choose are ~0u.
ooo::MachineSpec cpu_description(const CpuOptions& options);

/// The machine that the options describe, wide enough for the recording's threads if they do not say how wide: two
/// warps, or one if there is one thread.
ooo::MachineSpec cpu_machine(const CpuOptions& options, unsigned threads);

/// The file of what a core costs.
std::filesystem::path cpu_price_list();

CpuResult run_core(const x86::Recording& recording, const ooo::Replay& replay, const std::string& core,
                   const ooo::MachineSpec& machine, const ooo::Replay::Progress& progress,
                   std::span<ooo::CoreListener* const> listeners = {});

/// All of it: reads the recording and runs it on the machine that the options describe. Ends by an Error when a signal
/// has come that is held back (process::DeferredSignals).
CpuResult run_recording(const CpuOptions& options, const std::string& core);

}  // namespace warpfork::simulation
