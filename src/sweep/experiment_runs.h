// All runs of an experiment, in a folder of results: what is there is not run again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "config/experiment_plan.h"
#include "experiment/evaluation.h"
#include "process/deferred_signals.h"
#include "sweep/engine.h"
#include "sweep/experiment_points.h"
#include "sweep/result_folder.h"

namespace warpfork::sweep {

class ExperimentRuns {
 public:
  /// An engine of jobs of which each, by its number, is expected to need so much memory.
  using MakeEngine = std::function<std::unique_ptr<Engine>(std::function<std::uint64_t(std::size_t)> bytes_of)>;

  /// `programs`: the folder that benchmarks name their programs in. `results`: taken.
  ExperimentRuns(const config::ExperimentPlan& plan, unsigned recordings, std::filesystem::path programs,
                 const ResultFolder& results)
      : plan_(plan), recordings_(recordings), programs_(std::move(programs)), results_(results) {}

  /// Records programs that must be, by the first engine, then runs the points that are not there or have failed, by the
  /// other one. Nothing if one of the signals came. Throws Error with what became of the points if some failed.
  std::optional<experiment::Totals> run(const MakeEngine& make_recorder, const MakeEngine& make_engine,
                                        const process::DeferredSignals& signals) const;

 private:
  const config::ExperimentPlan& plan_;
  const unsigned recordings_;
  const std::filesystem::path programs_;
  const ResultFolder& results_;
};

}  // namespace warpfork::sweep
