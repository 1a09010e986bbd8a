// Two benchmarks on two machines, with numbers that are easy to reckon with.
#pragma once

#include <nlohmann/json.hpp>

#include "config/experiment_plan.h"
#include "experiment/evaluation.h"

namespace warpfork::experiment {

inline config::ExperimentPlan sample_plan() {
  config::ExperimentPlan plan;
  plan.title = "T";
  plan.paper = "P";
  plan.machine = "m";
  plan.baseline = "old";
  plan.configurations = {{"old", "pdom", {}}, {"new", "multi-path", {}}};
  plan.benchmarks = {{"A", "a", {"8"}}, {"B", "b", {}}};
  return plan;
}

/// Cycles: A 300 → 200 (1.5 times as fast), B 100 → 200 (0.5).
inline Totals sample_totals() {
  const auto run = [](unsigned cycles, unsigned misses, unsigned hits) {
    return report::Json{{"cycles", cycles}, {"cache", {{"misses", misses}, {"hits", hits}}}};
  };
  return {{{"A", "old"}, run(300, 1, 3)},
          {{"A", "new"}, run(200, 2, 2)},
          {{"B", "old"}, run(100, 0, 4)},
          {{"B", "new"}, run(200, 3, 1)}};
}

inline config::Figure speed_up_figure() {
  config::Figure figure;
  figure.name = "Figure 1";
  figure.title = "speed-up";
  figure.mean = config::Mean::Harmonic;
  config::Quantity quantity;
  quantity.title = "speed-up";
  quantity.value = {"cycles"};
  quantity.relation = config::Quantity::Relation::SpeedUp;
  figure.quantities = {quantity};
  return figure;
}

}  // namespace warpfork::experiment
