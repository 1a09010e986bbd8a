// A plan's points beside what there is of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/sweep_plan.h"
#include "sweep/identity.h"
#include "sweep/result_folder.h"
#include "sweep/run_history.h"

namespace warpfork::sweep {

enum class PointState { There, Failed, Missing };

struct PointList {
  std::vector<IdentifiedPoint> points;  // no two the same, in the plan's order
  std::vector<PointState> states;
  std::map<std::string, std::string> causes;  // of the failed ones, by id
  std::size_t repeated = 0;                   // points of the plan that are the same as others

  std::size_t number(PointState state) const;
  /// Those that are missing, and those that failed by one of these causes.
  std::vector<std::size_t> to_run(const std::vector<std::string>& retried) const;

  /// Printed sample:
  ///   0f3a5c11e0d2b479  there            bfs on gtx480: nodes 1000, mechanism pdom
  ///   77b01c9a64e2f035  failed: exit     bfs on gtx480: nodes 2000, mechanism pdom
  ///   c2d4f7881ab35e90  to run           bfs on gtx480: nodes 4000, mechanism pdom
  std::string text() const;
};

/// Throws Error with the place of what is wrong in the plan.
std::vector<IdentifiedPoint> identified_points(const config::SweepPlan& plan);
/// Likewise.
PointList list_points(const config::SweepPlan& plan, const ResultFolder& results);
/// Of any points, in their order.
PointList list_points(std::vector<IdentifiedPoint> points, const ResultFolder& results);

/// How long these would take with so many at a time, in seconds. Nothing if nobody knows.
std::optional<double> estimate(const PointList& list, const std::vector<std::size_t>& points, const RunHistory& history,
                               unsigned jobs);

/// "45 s", "12 min", "3.5 h"
std::string duration_text(double seconds);

}  // namespace warpfork::sweep
