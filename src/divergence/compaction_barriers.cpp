#include "divergence/compaction_barriers.h"

#include <algorithm>

namespace warpfork {

const CompactionBarrier* CompactionBarriers::at(SideId side, Pc branch) const {
  for (const CompactionBarrier& barrier : barriers_)
    if (barrier.side == side && barrier.branch == branch) return &barrier;
  return nullptr;
}

void CompactionBarriers::wait(SideId side, Pc branch, Pc reconvergence, WarpId place, unsigned turn) {
  const CompactionBarrier* const known = at(side, branch);
  if (known == nullptr) barriers_.push_back({side, branch, reconvergence, {}, 0});
  CompactionBarrier& barrier = known == nullptr ? barriers_.back() : barriers_[known - barriers_.data()];
  barrier.waiting |= WarpSet::single(place);
  barrier.turn = std::max(barrier.turn, turn);
}

std::optional<CompactionBarrier> CompactionBarriers::open(WarpSet runnable) {
  for (auto barrier = barriers_.begin(); barrier != barriers_.end(); ++barrier) {
    if (sides_.awaited(barrier->side, barrier->branch, barrier->turn, runnable).any()) continue;
    const CompactionBarrier opened = *barrier;
    barriers_.erase(barrier);
    opened.waiting.for_each([&](WarpId place) { sides_.visit(opened.side, opened.branch, opened.turn, place); });
    return opened;
  }
  return {};
}

}  // namespace warpfork
