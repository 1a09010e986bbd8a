#include "simulation/experiment_runs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/named.h"
#include "cuda/progress_line.h"
#include "report/launch_json.h"
#include "simulation/kernel_launches.h"
#include "simulation/work.h"

namespace warpfork::simulation {

namespace {

report::Json totals_of(const Work& work, const std::string& kernels) {
  const std::vector<report::LaunchRecord> launches = launches_of_kernels(work.outcome.launches, kernels, "kernels");
  report::Json totals = report::to_json(report::sum_launches(launches));
  if (work.energy) RunEnergy(work.machine, launches).add_sums_to(totals);
  return totals;
}

}  // namespace

ExperimentRuns::ExperimentRuns(const config::ExperimentPlan& plan, unsigned recordings, std::filesystem::path programs,
                               const std::string& keep, const report::Json& origin)
    : plan_(plan),
      runs_(experiment::shared_runs(plan, experiment::runs_of(plan, recordings))),
      programs_(std::move(programs)),
      kept_(keep.empty() ? temporary_.path() : std::filesystem::path(keep), origin),
      recorded_(plan_, programs_, kept_.recordings(), signals_) {}

experiment::Totals ExperimentRuns::run(unsigned jobs) {
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < jobs; ++i) workers.emplace_back([this] { work(); });
  }
  if (failure_) std::rethrow_exception(failure_);
  return std::move(totals_);
}

void ExperimentRuns::work() {
  for (std::size_t i = next_++; i < runs_.size(); i = next_++) {
    const experiment::RunName& first = runs_[i].front();
    try {
      find_or_run(runs_[i]);
    } catch (const Error& error) {
      fail(std::make_exception_ptr(Error("{} under {}: {}", first.benchmark, first.configuration, error.what())));
    } catch (...) {
      fail(std::current_exception());
    }
  }
}

void ExperimentRuns::find_or_run(const std::vector<experiment::RunName>& shared) {
  std::optional<Work> work;
  for (const experiment::RunName& run : shared) {
    if (std::optional<report::Json> kept = kept_.find(run)) {
      finish(run, *std::move(kept));
      continue;
    }
    const config::Benchmark& benchmark = find_named(plan_.benchmarks, run.benchmark, "benchmark", "benchmarks");
    const config::Configuration configuration = experiment::configuration_of(plan_, run);
    if (!plan_.machine.empty() && !work) work = work_of(benchmark, configuration);
    report::Json totals = plan_.machine.empty() ? recorded_.totals(benchmark, configuration, run.recording)
                                                : totals_of(*work, benchmark.kernels);
    kept_.keep(run, totals);
    finish(run, std::move(totals));
  }
  tell_progress(shared.front());
}

Work ExperimentRuns::work_of(const config::Benchmark& benchmark, const config::Configuration& configuration) const {
  WorkOptions options;
  options.machine = plan_.machine;
  options.overrides = plan_.overrides;
  options.overrides.insert(options.overrides.end(), configuration.overrides.begin(), configuration.overrides.end());
  options.energy = plan_.asks_for_energy();
  options.program = (programs_ / benchmark.program).string();
  options.arguments = benchmark.arguments;
  Work work = do_work(options, {configuration.divergence, configuration.lanes}, process::GuestOutput::Captured);
  if (work.outcome.status != 0) throw Error("{}", fmt::join(work.outcome.complaints, "\n  "));
  return work;
}

void ExperimentRuns::finish(const experiment::RunName& run, report::Json totals) {
  const std::lock_guard lock(mutex_);
  totals_[run] = std::move(totals);
}

void ExperimentRuns::tell_progress(const experiment::RunName& run) {
  const std::lock_guard lock(mutex_);
  ++finished_;
  if (isatty(STDERR_FILENO))
    std::cerr << cuda::kEraseProgress
              << fmt::format("{} of {} runs: {} under {}\n", finished_, runs_.size(), run.benchmark, run.configuration);
}

void ExperimentRuns::fail(std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = failure;
  next_ = runs_.size();
}

}  // namespace warpfork::simulation
