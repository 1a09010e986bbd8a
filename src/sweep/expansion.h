// A plan's points.
#pragma once

#include <vector>

#include "config/sweep_plan.h"
#include "sweep/point.h"

namespace warpfork::sweep {

/// Every program with every machine of its kind, and these with every value of the axes that make a difference to them:
/// those whose `{name}` stands in a string of theirs, and those that set a key of the machine. Axes of one zip step
/// together. The last axis steps fastest. Throws Error with the place of a program, machine, axis or exclusion that no
/// point has, of options of GPU runs without one, of an unknown `{name}`, and for too many points.
std::vector<Point> points_of(const config::SweepPlan& plan);

}  // namespace warpfork::sweep
