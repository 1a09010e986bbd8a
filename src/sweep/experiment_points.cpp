#include "sweep/experiment_points.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/named.h"

namespace warpfork::sweep {

namespace {

using config::Benchmark;
using config::Configuration;
using config::ExperimentPlan;
using experiment::RunName;

const Benchmark& benchmark_of(const ExperimentPlan& plan, const RunName& run) {
  return find_named(plan.benchmarks, run.benchmark, "benchmark", "benchmarks");
}

/// The kernels that count, by benchmark; none where each one's are all.
std::map<std::string, std::string> groups_of(const ExperimentPlan& plan, const std::vector<RunName>& runs) {
  std::map<std::string, std::string> groups;
  for (const RunName& run : runs) groups[run.benchmark] = benchmark_of(plan, run).kernels;
  const bool any = std::ranges::any_of(groups, [](const auto& group) { return !group.second.empty(); });
  return any ? groups : std::map<std::string, std::string>();
}

void set(Point& point, const char* key, const std::string& value) {
  if (!value.empty()) point.overrides.push_back(fmt::format("{}={}", key, value));
}

void run_on_gpu(Point& point, const ExperimentPlan& plan, const Benchmark& benchmark,
                const Configuration& configuration, const std::filesystem::path& programs) {
  point.file = (programs / benchmark.program).string();
  point.arguments = benchmark.arguments;
  point.description = plan.machine;
  set(point, "divergence.mechanism", configuration.divergence);
  set(point, "core.lanes.organisation", configuration.lanes);
}

void run_on_cpu(Point& point, const Benchmark& benchmark, const Configuration& configuration, unsigned recording,
                const RecordingFile& recording_of) {
  point.file = recording_of(benchmark, configuration.warps * configuration.threads, recording);
  point.core = configuration.core;
  set(point, "warps", std::to_string(configuration.warps));
  set(point, "threads", std::to_string(configuration.threads));
}

}  // namespace

std::vector<ExperimentPoint> points_of(const ExperimentPlan& plan, unsigned recordings,
                                       const std::filesystem::path& programs, const RecordingFile& recording_of) {
  std::vector<ExperimentPoint> points;
  for (std::vector<RunName>& runs : experiment::shared_runs(plan, experiment::runs_of(plan, recordings))) {
    const RunName& first = runs.front();
    const Benchmark& benchmark = benchmark_of(plan, first);
    const Configuration configuration = experiment::configuration_of(plan, first);
    Point point;
    std::vector<std::string> benchmarks;
    for (const RunName& run : runs) benchmarks.push_back(run.benchmark);
    point.program = fmt::format("{}", fmt::join(benchmarks, "+"));
    point.machine = configuration.name;
    if (!first.choice.empty()) point.axes.emplace_back("choice", first.choice);
    if (benchmark.varies) point.axes.emplace_back("recording", first.recording + 1);
    point.overrides = plan.overrides;
    std::ranges::copy(configuration.overrides, std::back_inserter(point.overrides));
    if (plan.machine.empty())
      run_on_cpu(point, benchmark, configuration, first.recording, recording_of);
    else
      run_on_gpu(point, plan, benchmark, configuration, programs);
    point.groups = groups_of(plan, runs);
    points.push_back({std::move(point), std::move(runs)});
  }
  return points;
}

report::Json totals_of(const report::Json& document, const RunName& run) {
  if (document.contains("groups")) return document["groups"].at(run.benchmark);
  const report::Json& result = document.at("result");
  report::Json totals = result.at("totals");
  for (const char* cost : {"energy", "area"})
    if (result.contains(cost)) totals[cost] = result[cost];
  if (result.contains("energy")) totals["energy"].erase("launches");
  return totals;
}

}  // namespace warpfork::sweep
