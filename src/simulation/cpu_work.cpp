#include "simulation/cpu_work.h"

#include <fmt/format.h>

#include "base/error.h"
#include "config/description.h"
#include "energy/area_report.h"
#include "energy/energy_report.h"
#include "process/install_paths.h"
#include "process/version.h"

namespace warpfork::simulation {

namespace {

using report::Json;

Json warp_cycles_of(const ooo::CoreCounts& counts) {
  Json json;
  for (unsigned cause = 0; cause < ooo::kCycleCauses; ++cause)
    json[std::string(ooo::kCycleCauseNames[cause])] = counts.warp_cycles[cause];
  return json;
}

Json totals_of(const ooo::CoreCounts& counts) {
  const ooo::FrontCounts& front = counts.front;
  const ooo::DataMemoryCounts& memory = counts.memory;
  return {{"cycles", counts.cycles},
          {"instructions", front.instructions},
          {"thread_instructions", front.thread_instructions},
          {"ipc", counts.ipc()},
          {"occupancy", counts.occupancy()},
          {"uops", counts.uops},
          {"merges", counts.merges},
          {"convergences", front.convergences},
          {"issued", counts.issued},
          {"flushed", counts.flushed},
          {"operations",
           {{"integer", counts.operations.integer},
            {"multiply", counts.operations.multiply},
            {"vector", counts.operations.vector},
            {"floating_point", counts.operations.floating_point},
            {"memory", counts.operations.memory}}},
          {"branches", front.branches},
          {"divergent_branches", front.divergent_branches},
          {"predicted_divergent", front.predicted_divergent},
          {"branch_mispredictions", front.branch_mispredictions},
          {"missed_divergences", front.missed_divergences},
          {"warp_cycles", warp_cycles_of(counts)},
          {"stalls", {{"merge", counts.merge_stalls}, {"register", counts.register_stalls}}},
          {"memory",
           {{"accesses", memory.accesses},
            {"requests", memory.requests},
            {"bank_conflicts", memory.bank_conflicts},
            {"l1_misses", memory.l1_misses},
            {"l2_accesses", memory.l2_accesses},
            {"l2_misses", memory.l2_misses},
            {"tlb_misses", memory.tlb_misses},
            {"write_backs", memory.write_backs}}}};
}

constexpr unsigned kAsNeeded = ~0u;  // warps or threads that nobody has chosen

}  // namespace

ooo::MachineSpec cpu_machine(const CpuOptions& options, unsigned threads) {
  ooo::MachineSpec machine;
  machine.warps = machine.threads = kAsNeeded;
  if (!options.machine.empty()) config::bind(machine, options.machine);
  for (const std::string& assignment : options.overrides) config::apply_override(machine, assignment);
  if (options.warps != 0) machine.warps = options.warps;
  if (options.threads != 0) machine.threads = options.threads;
  if (machine.warps == 0 || machine.threads == 0)
    throw Error("{} is 0\n  a core has 1 to {}", machine.warps == 0 ? "warps" : "threads", ooo::kMaxLanes);
  if (machine.warps == kAsNeeded) machine.warps = threads > 1 ? 2 : 1;
  if (machine.threads == kAsNeeded) machine.threads = std::max(1u, (threads + machine.warps - 1) / machine.warps);
  if (std::uint64_t{machine.warps} * machine.threads > ooo::kMaxLanes)
    throw Error(
        "{} warps of {} threads: a core has at most {} threads{}", machine.warps, machine.threads, ooo::kMaxLanes,
        threads > ooo::kMaxLanes ? fmt::format("\n  the recording has {}: record the program with fewer", threads)
                                 : std::string());
  return machine;
}

Json run_core(const x86::Recording& recording, const ooo::Replay& replay, const std::string& core,
              const ooo::MachineSpec& machine, const ooo::Replay::Progress& progress,
              std::span<ooo::CoreListener* const> listeners) {
  const ooo::ReplayResult result = replay.run(ooo::find_core(core), machine, progress, listeners);
  energy::PriceList prices;
  config::bind(prices, process::share_folder() / "machines" / "prices" / "45nm.toml");
  report::Json totals = totals_of(result.counts);
  totals["energy"] = energy::energy_of(result.machine, core, result.counts, prices).to_json();
  totals["area"] = energy::area_of(result.machine, core, prices).to_json();
  const report::Tool by = process::tool();
  return {{"schema", 1},
          {"warpfork", {{"version", by.version}, {"commit", by.commit}}},
          {"core", core},
          {"machine", config::to_json(result.machine)},
          {"recording",
           {{"program", recording.facts().program},
            {"arguments", recording.facts().arguments},
            {"region", recording.facts().region},
            {"limit", recording.facts().limit},
            {"threads", replay.threads()},
            {"instructions", replay.instructions()},
            {"spinning", replay.spinning()}}},
          {"totals", std::move(totals)}};
}

}  // namespace warpfork::simulation
