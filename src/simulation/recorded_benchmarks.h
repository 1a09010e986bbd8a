// The benchmarks of an experiment about recorded programs: recorded once for each number of threads, then run on cores.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "config/experiment_plan.h"
#include "ooo/replay.h"
#include "process/deferred_signals.h"
#include "report/result_document.h"

namespace warpfork::simulation {

/// May be used by several threads.
class RecordedBenchmarks {
 public:
  /// `programs`: the folder that benchmarks name their programs in. `recordings`: the folder where
  /// recordings are left, and those found there are used. When one of `signals` has come runs end by an Error.
  RecordedBenchmarks(const config::ExperimentPlan& plan, std::filesystem::path programs,
                     std::filesystem::path recordings, const process::DeferredSignals& signals)
      : plan_(plan), programs_(std::move(programs)), recordings_(std::move(recordings)), signals_(signals) {}

  /// The totals of the benchmark's run on the configuration, with as many threads as that has, of one of several
  /// recordings. "{threads}" among the benchmark's arguments stands for their number. Throws Error if the program fails
  /// or cannot be recorded.
  report::Json totals(const config::Benchmark& benchmark, const config::Configuration& configuration,
                      unsigned recording);

 private:
  struct Recorded {
    std::once_flag once;
    std::unique_ptr<x86::Recording> recording;
    std::unique_ptr<ooo::Replay> replay;
  };

  Recorded& recorded(const config::Benchmark& benchmark, unsigned threads, unsigned recording);
  void record(const config::Benchmark& benchmark, unsigned threads, unsigned recording, Recorded& recorded);

  const config::ExperimentPlan& plan_;
  const std::filesystem::path programs_;
  const std::filesystem::path recordings_;
  const process::DeferredSignals& signals_;
  std::mutex mutex_;                                                          // of the map
  std::map<std::tuple<std::string, unsigned, unsigned>, Recorded> recorded_;  // by name, threads and recording
};

}  // namespace warpfork::simulation
