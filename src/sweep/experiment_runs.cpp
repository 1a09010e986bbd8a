#include "sweep/experiment_runs.h"

#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "sweep/experiment_key_use.h"
#include "sweep/experiment_recordings.h"
#include "sweep/failure.h"
#include "sweep/identity.h"
#include "sweep/point_list.h"
#include "sweep/run_history.h"
#include "sweep/sweep_runs.h"

namespace warpfork::sweep {

namespace {

constexpr std::uint64_t kRecorderBytes = 512ull << 20;  // what QEMU and the recorder need at most of the workloads

std::vector<IdentifiedPoint> identified(const std::vector<ExperimentPoint>& points, bool energy) {
  config::SweepOptions options;
  options.energy = energy;
  Identifier identifier(options);
  std::vector<IdentifiedPoint> all;
  for (const ExperimentPoint& one : points) all.push_back(identifier.identify(one.point));
  return all;
}

/// False if one of the signals came.
bool run_missing(PointList& list, const ResultFolder& results, const ExperimentRuns::MakeEngine& make_engine,
                 const process::DeferredSignals& signals) {
  RunHistory history(results.times());
  SweepRuns runs(list, results, history);
  const auto engine = make_engine([&](std::size_t point) { return history.bytes(list.points[point].point); });
  runs.submit(list.to_run({kCauses.begin(), kCauses.end()}), *engine);
  runs.collect(*engine, signals);
  return !signals.came();
}

}  // namespace

std::optional<experiment::Totals> ExperimentRuns::run(const MakeEngine& make_recorder, const MakeEngine& make_engine,
                                                      const process::DeferredSignals& signals) const {
  require_key_use(plan_);
  ExperimentRecordings recorded(programs_, results_);
  const std::vector<ExperimentPoint> points = points_of(
      plan_, recordings_, programs_, [&](const config::Benchmark& benchmark, unsigned threads, unsigned recording) {
        return recorded.file(benchmark, threads, recording);
      });
  recorded.make(*make_recorder([](std::size_t) { return kRecorderBytes; }), signals);
  if (signals.came()) return std::nullopt;
  const std::vector<IdentifiedPoint> all = identified(points, plan_.asks_for_energy());
  PointList list = list_points(all, results_);
  if (!run_missing(list, results_, make_engine, signals)) return std::nullopt;
  if (list.number(PointState::There) != list.points.size())
    throw Error("some runs failed: there are no figures\n{}", summary(list, results_, "the same command"));
  experiment::Totals totals;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const report::Json document = results_.point(all[i].id);
    for (const experiment::RunName& run : points[i].runs) totals[run] = totals_of(document, run);
  }
  return totals;
}

}  // namespace warpfork::sweep
