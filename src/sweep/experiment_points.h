// An experiment's runs as points of a sweep.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "config/experiment_plan.h"
#include "experiment/evaluation.h"
#include "experiment/run_name.h"
#include "sweep/point.h"

namespace warpfork::sweep {

/// A point, and the runs that its result answers: of one program, whose rows are of other kernels each.
struct ExperimentPoint {
  Point point;
  std::vector<experiment::RunName> runs;
};

/// The file of a benchmark's recording, of so many threads: which one, of those that differ.
using RecordingFile = std::function<std::string(const config::Benchmark&, unsigned threads, unsigned recording)>;

/// All that the figures need. `programs`: the folder that benchmarks name their programs in.
std::vector<ExperimentPoint> points_of(const config::ExperimentPlan& plan, unsigned recordings,
                                       const std::filesystem::path& programs, const RecordingFile& recording_of);

/// The totals of one of the runs that a point's document answers.
report::Json totals_of(const report::Json& document, const experiment::RunName& run);

}  // namespace warpfork::sweep
