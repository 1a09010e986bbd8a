// All runs of an experiment: of programs on the simulated GPU, or of recorded ones on cores.
#pragma once

#include <atomic>
#include <exception>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "config/experiment_plan.h"
#include "experiment/report.h"
#include "process/deferred_signals.h"
#include "process/temporary_folder.h"
#include "simulation/kept_runs.h"
#include "simulation/recorded_benchmarks.h"
#include "simulation/work.h"

namespace warpfork::simulation {

/// Runs all that the figures need, several at a time, but what is kept. On a terminal it says which run has ended.
class ExperimentRuns {
 public:
  /// `programs`: the folder that benchmarks name their programs in. `origin`: of what is kept in the folder `keep`; if
  /// that is empty, nothing is left behind.
  ExperimentRuns(const config::ExperimentPlan& plan, unsigned recordings, std::filesystem::path programs,
                 const std::string& keep, const report::Json& origin);

  /// Throws what the first run that failed threw.
  experiment::Totals run(unsigned jobs);

 private:
  void work();
  /// `shared`: runs that one run of a program answers.
  void find_or_run(const std::vector<experiment::RunName>& shared);
  Work work_of(const config::Benchmark& benchmark, const config::Configuration& configuration) const;
  void finish(const experiment::RunName& run, report::Json totals);
  void tell_progress(const experiment::RunName& run);
  void fail(std::exception_ptr failure);

  const config::ExperimentPlan& plan_;
  const std::vector<std::vector<experiment::RunName>> runs_;  // those together that one run of a program answers
  const std::filesystem::path programs_;
  const process::DeferredSignals signals_;  // an interrupt ends the programs first, so that no run leaves files behind
  const process::TemporaryFolder temporary_;
  const KeptRuns kept_;
  RecordedBenchmarks recorded_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;  // of what follows
  experiment::Totals totals_;
  std::size_t finished_ = 0;
  std::exception_ptr failure_;
};

}  // namespace warpfork::simulation
