#include "cli/cpu_work.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>

#include "base/error.h"
#include "config/description.h"
#include "cuda/progress_line.h"
#include "energy/area_report.h"
#include "energy/energy_report.h"
#include "process/install_paths.h"
#include "process/version.h"
#include "report/ratio.h"
#include "report/text_table.h"

namespace warpfork::cli {

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

/// Of all cycles of a core's warps.
std::string warp_cycles_table(const std::vector<Json>& results) {
  std::vector<std::string> heads{"cycles of a warp"};
  for (const std::string_view cause : ooo::kCycleCauseNames) heads.emplace_back(cause);
  report::TextTable table(heads);
  for (const Json& result : results) {
    const Json& cycles = result["totals"]["warp_cycles"];
    double all = 0;
    for (const Json& part : cycles) all += part.get<double>();
    std::vector<std::string> row{result["core"].get<std::string>()};
    for (const Json& part : cycles) row.push_back(report::percent(report::ratio(part.get<double>(), all)));
    table.add(row);
  }
  return table.text();
}

}  // namespace

CpuProgress::~CpuProgress() {
  if (shown_) fmt::print(stderr, "\r{}", cuda::kEraseProgress);
}

void CpuProgress::operator()(std::uint64_t instructions) {
  if (isatty(STDERR_FILENO) == 0 || std::chrono::steady_clock::now() - start_ < std::chrono::seconds(1)) return;
  shown_ = true;
  fmt::print(stderr, "\r{}{}: {} of {} instructions", cuda::kEraseProgress, core_, report::grouped(instructions),
             report::grouped(instructions_));
  std::fflush(stderr);
}

ooo::Replay read_replay(const x86::Recording& recording) {
  std::uint64_t instructions = 0;
  for (std::uint32_t thread = 0; thread < recording.threads(); ++thread) instructions += recording.instructions(thread);
  CpuProgress progress("reading", instructions);
  return ooo::Replay(recording, std::ref(progress));
}

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

std::string cpu_table(const std::vector<Json>& results) {
  report::TextTable table(
      {"core", "cycles", "speed-up", "IPC", "occupancy", "mispredicted", "divergent", "merges", "energy"});
  const double first = results.front()["totals"]["cycles"].get<double>();
  for (const Json& result : results) {
    const Json& totals = result["totals"];
    const auto number = [&](const char* key) { return totals[key].get<double>(); };
    const double thousands = number("instructions") / 1000, branches = number("branches");
    table.add({result["core"].get<std::string>(), report::grouped(totals["cycles"].get<std::uint64_t>()),
               fmt::format("{:.2f}×", report::ratio(first, number("cycles"))), fmt::format("{:.2f}", number("ipc")),
               fmt::format("{:.2f}", number("occupancy")),
               fmt::format("{:.2f} %", 100 * report::ratio(number("branch_mispredictions"), branches)),
               fmt::format("{:.2f} %", 100 * report::ratio(number("divergent_branches"), branches)),
               fmt::format("{:.1f} /k", report::ratio(number("merges"), thousands)),
               fmt::format("{:.1f} µJ", totals["energy"]["processor"].get<double>() / 1000)});
  }
  std::string text = table.text() + "\n" + warp_cycles_table(results);
  if (const auto limit = results.front()["recording"]["limit"].get<std::uint64_t>(); limit != 0)
    text +=
        fmt::format("\nRecorded: of each thread the first {} instructions alone (--limit).\n", report::grouped(limit));
  if (const auto spinning = results.front()["recording"]["spinning"].get<std::uint64_t>(); spinning != 0)
    text += fmt::format("\nLeft out: {} instructions of threads that only waited for another.\n",
                        report::grouped(spinning));
  return text;
}

}  // namespace warpfork::cli
