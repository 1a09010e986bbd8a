#include "simulation/recorded_benchmarks.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "process/recording_run.h"
#include "simulation/cpu_work.h"

namespace warpfork::simulation {

report::Json RecordedBenchmarks::totals(const config::Benchmark& benchmark, const config::Configuration& configuration,
                                        unsigned recording) {
  const Recorded& ready = recorded(benchmark, configuration.warps * configuration.threads, recording);
  CpuOptions options;
  options.warps = configuration.warps;
  options.threads = configuration.threads;
  options.overrides = plan_.overrides;
  options.overrides.insert(options.overrides.end(), configuration.overrides.begin(), configuration.overrides.end());
  const ooo::MachineSpec machine = cpu_machine(options, ready.replay->contexts());
  const auto interruptible = [this](std::uint64_t) {
    if (signals_.came()) throw Error("interrupted");
  };
  return run_core(*ready.recording, *ready.replay, configuration.core, machine, interruptible).totals();
}

RecordedBenchmarks::Recorded& RecordedBenchmarks::recorded(const config::Benchmark& benchmark, unsigned threads,
                                                           unsigned recording) {
  Recorded* entry = nullptr;
  {
    const std::lock_guard lock(mutex_);
    entry = &recorded_[{benchmark.name, threads, recording}];
  }
  std::call_once(entry->once, [&] { record(benchmark, threads, recording, *entry); });
  return *entry;
}

void RecordedBenchmarks::record(const config::Benchmark& benchmark, unsigned threads, unsigned recording,
                                Recorded& recorded) {
  process::RecordOptions options;
  options.program = (programs_ / benchmark.program).string();
  for (const std::string& argument : benchmark.arguments)
    options.arguments.push_back(argument == "{threads}" ? std::to_string(threads) : argument);
  const std::string which = recording == 0 ? "" : fmt::format("-{}", recording + 1);
  const std::string file = recordings_ / fmt::format("{}-{}{}", benchmark.name, threads, which);
  options.output = file + ".wft";
  options.program_output = file + ".out";
  options.request.regions = benchmark.region;
  if (!std::filesystem::exists(options.output)) {
    const process::RecordOutcome outcome = process::record_program(options);
    if (outcome.status != 0) throw Error("{}: ended with exit status {}", options.program, outcome.status);
  }
  recorded.recording = std::make_unique<x86::Recording>(options.output);
  recorded.replay = std::make_unique<ooo::Replay>(*recorded.recording);
}

}  // namespace warpfork::simulation
