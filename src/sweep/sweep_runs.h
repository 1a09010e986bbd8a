// The runs of a sweep: points given to an engine, their ends noted.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "process/deferred_signals.h"
#include "sweep/engine.h"
#include "sweep/point_list.h"
#include "sweep/result_folder.h"
#include "sweep/run_history.h"

namespace warpfork::sweep {

class SweepRuns {
 public:
  SweepRuns(PointList& list, const ResultFolder& results, RunHistory& history)
      : list_(list), results_(results), history_(history) {}

  /// Gives these points to the engine.
  void submit(const std::vector<std::size_t>& points, Engine& engine);
  /// Notes in the list what becomes of them until all have ended. Ends early when one of the signals has come: the
  /// points that are not done are cancelled and stay as they were, of whatever their runs died.
  void collect(Engine& engine, const process::DeferredSignals& signals);
  /// Notes those that have ended by now. The engine goes on with the others.
  void look(Engine& engine);

 private:
  void note(const JobEnd& end);
  void note_failure(const IdentifiedPoint& point, const JobEnd& end) const;
  void forget_interrupted() const;

  PointList& list_;
  const ResultFolder& results_;
  RunHistory& history_;
  std::set<std::size_t> under_way_;
  std::size_t submitted_ = 0, failed_ = 0;
};

/// What became of a plan's points. `again`: what runs those once more that failed.
///
/// Printed sample:
///   2 000 points: 1 990 there, 10 failed
///        7  exit: ./app ended with exit status 3
///           e.g. 77b01c9a64e2f035 (no such input)
///        3  error: kernel.ptx:12:9: error: label 'L' is not defined
///           e.g. 0f3a5c11e0d2b479
///   `warpfork why POINT` tells all of a failure, --retry CAUSE runs its points again
std::string summary(const PointList& list, const ResultFolder& results, std::string_view again = "`--retry CAUSE`");

}  // namespace warpfork::sweep
