#include "lower/sinking.h"

#include <algorithm>

#include "analysis/movable.h"

namespace warpfork::lower {

using analysis::BlockId;
using ptx::RegisterId;

unsigned Sinking::most_alive() {
  facts_.emplace(function_, body_);
  return lives().most();
}

bool Sinking::step() {
  moves_.clear();
  for (const RegisterId id : candidates()) consider(id);
  if (!moves_.empty()) body_.move(moves_);
  return !moves_.empty();
}

std::vector<RegisterId> Sinking::candidates() const {
  analysis::RegisterSet found(function_.registers.size());
  for (BlockId block = 0; block < lives().graph().blocks().size(); ++block) {
    const analysis::Block& extent = lives().graph().blocks()[block];
    if (!lives().crowded_in(extent.first, extent.last)) continue;
    lives().liveness().for_each_backward(block, [&](Pc pc, const analysis::RegisterSet& alive) {
      if (lives().is_crowded(pc)) facts_->for_each_waiting(pc, alive, [&](RegisterId id) { found.insert(id); });
    });
  }
  std::vector<RegisterId> list;
  found.for_each([&](RegisterId id) {
    if (lives().has_one_value(id) && analysis::is_pure(facts_->instruction(facts_->definition(id)))) list.push_back(id);
  });
  return list;
}

void Sinking::consider(RegisterId id) {
  const Pc from = facts_->definition(id);
  const std::vector<Cluster> reads = facts_->clusters(id);
  if (reads.size() != 1 || facts_->serves(id, reads[0])) return;
  const Pc to = reads[0].first;
  if (to == from + 1 || lives().depth(to) > lives().depth(from) || !pays(from, to)) return;
  moves_.push_back({from, to});
}

/// Whether the operands have their values there, and fewer registers come to live longer than one lives shorter.
bool Sinking::pays(Pc from, Pc to) const {
  const analysis::RegisterUses::Use use = lives().liveness().uses(from);
  const bool near = lives().graph().block_of(from) == lives().graph().block_of(to);
  unsigned longer = 0;
  for (std::size_t i = 0; i < use.reads.size(); ++i) {
    const RegisterId source = use.reads[i];
    const bool one_value = lives().has_one_value(source);
    if (!one_value && (!near || lives().writes().any_in(source, from, to))) return false;
    const bool again = std::find(use.reads.begin(), use.reads.begin() + static_cast<std::ptrdiff_t>(i), source) !=
                       use.reads.begin() + static_cast<std::ptrdiff_t>(i);
    if (!again && !lives().is_alive_before(source, to) && !comes_along(source)) longer += facts_->units(source);
  }
  return longer < facts_->units(use.writes[0]);
}

/// Read here alone, and movable itself in the next step.
bool Sinking::comes_along(RegisterId id) const {
  return lives().has_one_value(id) && lives().reads().of(id).size() == 1 &&
         analysis::is_constant(facts_->instruction(facts_->definition(id)));
}

}  // namespace warpfork::lower
