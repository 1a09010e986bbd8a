#include "simulation/cpu_work.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "config/description.h"
#include "process/deferred_signals.h"
#include "process/install_paths.h"
#include "simulation/key_use.h"

namespace warpfork::simulation {

namespace {

constexpr unsigned kAsNeeded = ~0u;  // warps or threads that nobody has chosen

/// By an option that is called as the key.
void choose(unsigned& value, unsigned chosen, const std::string& key, const CpuOptions& options) {
  if (chosen == 0) return;
  require_undecided(options.overrides, key, "--" + key, std::to_string(chosen));
  value = chosen;
}

}  // namespace

void require_use(const std::vector<std::string>& overrides, const std::vector<std::string>& cores) {
  for (const std::string& core : cores) ooo::find_core(core);  // throws for an unknown one
  for (const std::string& assignment : overrides)
    require_user(assignment, cores, users_of(key_of(assignment), ooo::core_recipes()));
}

ooo::MachineSpec cpu_description(const CpuOptions& options) {
  ooo::MachineSpec machine;
  machine.warps = machine.threads = kAsNeeded;
  if (!options.machine.empty()) config::bind(machine, options.machine);
  for (const std::string& assignment : options.overrides) config::apply_override(machine, assignment);
  choose(machine.warps, options.warps, "warps", options);
  choose(machine.threads, options.threads, "threads", options);
  if (machine.warps == 0 || machine.threads == 0)
    throw Error("{} is 0\n  a core has 1 to {}", machine.warps == 0 ? "warps" : "threads", ooo::kMaxLanes);
  return machine;
}

ooo::MachineSpec cpu_machine(const CpuOptions& options, unsigned threads) {
  ooo::MachineSpec machine = cpu_description(options);
  if (machine.warps == kAsNeeded) machine.warps = threads > 1 ? 2 : 1;
  if (machine.threads == kAsNeeded) machine.threads = std::max(1u, (threads + machine.warps - 1) / machine.warps);
  if (std::uint64_t{machine.warps} * machine.threads > ooo::kMaxLanes)
    throw Error("{} of {} threads: a core has at most {} threads{}", counted(machine.warps, "warp"), machine.threads,
                ooo::kMaxLanes,
                threads > ooo::kMaxLanes
                    ? fmt::format("\n  the recording has {}: record the program with fewer", threads)
                    : std::string());
  return machine;
}

std::filesystem::path cpu_price_list() { return process::share_folder() / "machines" / "prices" / "45nm.toml"; }

CpuResult run_core(const x86::Recording& recording, const ooo::Replay& replay, const std::string& core,
                   const ooo::MachineSpec& machine, const ooo::Replay::Progress& progress,
                   std::span<ooo::CoreListener* const> listeners) {
  const ooo::ReplayResult ran = replay.run(ooo::find_core(core), machine, progress, listeners);
  energy::PriceList prices;
  config::bind(prices, cpu_price_list());
  return {.core = core,
          .machine = ran.machine,
          .recording = recording.facts(),
          .threads = replay.threads(),
          .instructions = replay.instructions(),
          .spinning = replay.spinning(),
          .counts = ran.counts,
          .energy = energy::energy_of(ran.machine, core, ran.counts, prices),
          .area = energy::area_of(ran.machine, core, prices)};
}

CpuResult run_recording(const CpuOptions& options, const std::string& core) {
  const auto interruptible = [](std::uint64_t) {
    if (process::deferred_signal_came()) throw Error("interrupted");
  };
  const x86::Recording recording(options.recording);
  const ooo::Replay replay(recording, interruptible);
  return run_core(recording, replay, core, cpu_machine(options, replay.contexts()), interruptible);
}

}  // namespace warpfork::simulation
