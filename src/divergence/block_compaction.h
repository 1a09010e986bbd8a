// Thread block compaction, always or where it pays: one reconvergence stack per thread block (CAPRI sections II-B, C).
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "divergence/adequacy_monitor.h"
#include "divergence/adequacy_prediction.h"
#include "divergence/block_wide_stack.h"
#include "divergence/branch_sides.h"
#include "divergence/compaction_barriers.h"
#include "divergence/divergence_domain.h"
#include "divergence/domain_effects.h"
#include "divergence/dynamic_warps.h"
#include "divergence/live_threads.h"

namespace warpfork {

class DistinctPaths;

/// Which warps wait for the others of the block at a branch.
enum class BranchWait {
  EveryWarp,       // tbc: every warp, wherever warps may diverge
  DivergingWarps,  // capri: a warp that diverges, if the predictor says that it pays
};

/// Warps run in the places of the block's warps, one in each (DynamicWarps); the split of place p has the id 64 p.
///
/// A warp is on a side of a branch (BranchSides) from there to the reconvergence point, whether it takes the side as a
/// whole or only some of its threads do. A warp that waits at a branch (CompactionBarriers) stays on it, not runnable,
/// until no other warp of its side could come there by itself.
///
/// Then the threads of the waiting warps part. If all go one way, their warps go on as they are. Otherwise their sides
/// run one after the other, in warps formed of them all, and then the warps go on as they were (BlockWideStack). A warp
/// that diverges without waiting does all this alone: as under pdom, but on the same sides as the others. Whether it
/// should have waited is found out beside (AdequacyMonitor).
///
/// A warp that met others and has nothing to run before the reconvergence point keeps its place and waits there for
/// their sides, until barriers keep all others: one of these may wait for it, or for its threads to exit.
class BlockCompaction final : public DivergenceDomain {
 public:
  /// `predictor`: the core's, shared with its other blocks. `oracle`: asked in its place; null = there is none.
  BlockCompaction(BranchWait who, std::shared_ptr<CompactionPredictor> predictor,
                  std::unique_ptr<CompactionOracle> oracle = nullptr)
      : who_waits_(who),
        prediction_(std::move(predictor), std::move(oracle)),
        warps_(splits_, sides_, effects_),
        stack_(warps_, sides_, live_, effects_),
        barriers_(sides_),
        monitor_(sides_, warps_, barriers_, prediction_, effects_) {}

  void launch(Pc entry, std::span<const ActiveMask> lanes, std::uint64_t block) override;
  std::span<const SplitId> runnable(WarpId place) const override {
    return {&warps_.split(place).id, warps_.runnable().contains(place) ? 1u : 0u};
  }
  const DomainEffects& advance(SplitId id, std::span<const Path> paths, Pc reconvergence) override;
  const DomainEffects& jump(SplitId id, Pc target) override;
  const DomainEffects& wait(SplitId id) override;
  const DomainEffects& release(SplitId id) override;
  ActiveMask live(WarpId warp) const override { return live_.of(warp); }
  bool finished(WarpId) const override { return live_.none(); }
  /// See BlockStackTable.
  std::vector<StateTable> tables(WarpId place) const override;

 private:
  bool goes_on_alone(const WarpSplit& split, std::span<const Path> paths) const;
  void branch(WarpId place, const DistinctPaths& paths, Pc reconvergence);
  bool should_wait(WarpId place);
  void tell_oracle(const WarpSplit& split);
  void exit(WarpId place, ActiveMask remaining);
  void pass(WarpId place);
  void wait_at_branch(WarpId place, Pc reconvergence);
  void settle();
  bool open_a_barrier();
  bool resume_skipping() { return warps_.runnable().none() && stack_.resume_skipping(); }
  void part(WarpSet group, Pc reconvergence, bool waited);

  const BranchWait who_waits_;
  LiveThreads live_;
  BranchSides sides_;
  AdequacyPrediction prediction_;
  DynamicWarps warps_;
  BlockWideStack stack_;
  CompactionBarriers barriers_;
  AdequacyMonitor monitor_;
};

}  // namespace warpfork
