#include "lower/motion_facts.h"

namespace warpfork::lower {

std::vector<Cluster> MotionFacts::clusters(ptx::RegisterId id) const {
  std::vector<Cluster> list;
  for (const Pc read : lives_.reads().of(id)) {
    const bool joins = !list.empty() && lives_.graph().block_of(list.back().first) == lives_.graph().block_of(read) &&
                       !lives_.crowded_in(list.back().reads.back(), read - 1);
    if (!joins) list.push_back({read, {}});
    list.back().reads.push_back(read);
  }
  return list;
}

bool MotionFacts::serves(ptx::RegisterId id, const Cluster& cluster) const {
  const Pc from = definition(id);
  return lives_.graph().block_of(from) == lives_.graph().block_of(cluster.first) &&
         !lives_.crowded_in(from, cluster.first - 1);
}

}  // namespace warpfork::lower
