#include "lower/rematerialization.h"

#include <algorithm>
#include <cmath>

#include "analysis/movable.h"

namespace warpfork::lower {

using ptx::RegisterId;

unsigned Rematerialization::most_alive() {
  round_.emplace(function_, std::move(graph_));
  return lives().most();
}

bool Rematerialization::step() {
  step_.emplace(function_);
  std::vector<bool> done(function_.registers.size(), false);
  for (Pc pc = 0; pc < round_->body.size(); ++pc)
    if (lives().is_crowded(pc) && !repeat_at(pc, done)) return false;
  graph_ = round_->body.take_graph();
  return step_->apply(graph_);
}

bool Rematerialization::repeat_at(Pc crowded, std::vector<bool>& done) {
  std::vector<RegisterId> waiting;
  lives().liveness().for_each_backward(
      lives().graph().block_of(crowded), [&](Pc pc, const analysis::RegisterSet& alive) {
        if (pc != crowded) return;
        facts().for_each_waiting(pc, alive, [&](RegisterId id) { waiting.push_back(id); });
      });
  const auto is_done = [&](RegisterId id) { return done[id]; };
  if (std::ranges::any_of(waiting, is_done)) return true;
  RegisterId best = 0;
  double least = HUGE_VAL;
  for (const RegisterId id : waiting) {
    if (facts().units(id) == 0 || !lives().has_one_value(id)) continue;
    const double cost = cost_of_repeating(id);
    if (cost >= least) continue;
    best = id;
    least = cost;
  }
  if (least == HUGE_VAL) return false;
  done[best] = true;
  repeat(best);
  return true;
}

/// Instructions that a thread executes more, ten times as many for each loop around; per register that is freed.
double Rematerialization::cost_of_repeating(RegisterId id) const {
  const Pc from = facts().definition(id);
  if (round_->frozen[from] || !analysis::is_pure(function_.body[from])) return HUGE_VAL;
  double cost = 0;
  bool stays = false, leaves = false;
  for (const Cluster& cluster : facts().clusters(id)) {
    for (const Pc read : cluster.reads)
      if (round_->frozen[read]) return HUGE_VAL;
    if (facts().serves(id, cluster)) {
      stays = true;
      continue;
    }
    leaves = true;
    for (const RegisterId source : lives().liveness().uses(from).reads)
      if (!lives().has_one_value(source) || !lives().is_alive_before(source, cluster.first)) return HUGE_VAL;
    cost += weight(cluster.first);
  }
  if (!leaves) return HUGE_VAL;
  return (stays ? cost : cost - weight(from)) / facts().units(id);
}

double Rematerialization::weight(Pc pc) const { return std::pow(10, std::min(lives().depth(pc), 8u)); }

void Rematerialization::repeat(RegisterId id) {
  const Pc from = facts().definition(id);
  bool stays = false;
  for (const Cluster& cluster : facts().clusters(id)) {
    for (const Pc read : cluster.reads) round_->frozen[read] = true;
    if (facts().serves(id, cluster)) {
      stays = true;
      continue;
    }
    step_->repeat(from, id, cluster);
  }
  round_->frozen[from] = true;
  for (const RegisterId source : lives().liveness().uses(from).reads) round_->frozen[facts().definition(source)] = true;
  if (!stays) step_->remove(from);
}

}  // namespace warpfork::lower
