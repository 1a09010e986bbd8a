#include "lower/lives.h"

#include <algorithm>

#include "lower/loop_depths.h"

namespace warpfork::lower {

using ptx::RegisterId;

bool RegisterSites::any_in(RegisterId id, Pc from, Pc to) const {
  const std::span<const Pc> sites = of(id);
  const auto found = std::ranges::lower_bound(sites, from);
  return found != sites.end() && *found < to;
}

Lives::Lives(const ptx::Function& function, const BodyOrder& body)
    : graph_(body.graph()),
      liveness_(function, graph_, body.uses()),
      reads_(function.registers.size(), body.size(), [&](Pc pc) { return liveness_.uses(pc).reads; }),
      writes_(function.registers.size(), body.size(), [&](Pc pc) { return liveness_.uses(pc).writes; }),
      depths_(loop_depths(graph_)),
      alive_after_(liveness_.units_after()),
      crowded_before_(body.size() + 1, 0) {
  if (!alive_after_.empty()) most_ = std::ranges::max(alive_after_);
  for (Pc pc = 0; pc < body.size(); ++pc) crowded_before_[pc + 1] = crowded_before_[pc] + (is_crowded(pc) ? 1 : 0);
}

bool Lives::has_one_value(RegisterId id) const {
  const std::span<const Pc> writes = writes_.of(id);
  return writes.size() == 1 && !liveness_.is_guarded(writes[0]) && !liveness_.live_in(0).contains(id);
}

bool Lives::is_alive_before(RegisterId id, Pc pc) const {
  const analysis::BlockId block = graph_.block_of(pc);
  return reads_.any_in(id, pc, graph_.blocks()[block].last) || liveness_.live_out(block).contains(id);
}

}  // namespace warpfork::lower
