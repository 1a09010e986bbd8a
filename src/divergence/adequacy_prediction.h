// Whether the warps of a block that diverge are to wait for each other: what the table of their core says, or an oracle
// in its place (CAPRI section II-C).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "divergence/compaction.h"
#include "divergence/compaction_oracle.h"
#include "divergence/compaction_predictor.h"
#include "divergence/shadow_barriers.h"

namespace warpfork {

/// The table outlives the block: what one block's warps have shown counts for those of all.
class AdequacyPrediction {
 public:
  /// `table`: the core's, shared with its other blocks. `oracle`: asked in its place; null = there is none.
  AdequacyPrediction(std::shared_ptr<CompactionPredictor> table, std::unique_ptr<CompactionOracle> oracle)
      : table_(std::move(table)), oracle_(std::move(oracle)) {}

  /// The block with this number in the grid starts, of so many warps.
  void launch(std::uint64_t block, std::size_t warps);
  bool has_oracle() const { return oracle_ != nullptr; }
  /// The oracle counts that these threads execute the branch.
  void execute(Pc branch, std::span<const HomeLanes> threads) { oracle_->execute(branch, threads); }

  /// The threads are those of the warp in this place, which diverges: whether it is to wait.
  bool advises_to_wait(WarpId place, Pc branch, std::span<const HomeLanes> threads);
  /// Warps that waited have parted.
  void learn(const Compaction& done);
  /// The latest advice to the warp in this place is to be judged with the shadow barrier.
  void note(ShadowBarriers& shadows, const ShadowBarrier& shadow, WarpId place) const;
  /// What would have come of a wait of all warps of a shadow barrier, which has ended.
  void learn(const Compaction& judged, ShadowBarriers& shadows);

 private:
  std::shared_ptr<CompactionPredictor> table_;
  std::unique_ptr<CompactionOracle> oracle_;
  std::vector<CompactionOracle::Decision> decisions_;  // by place, of the oracle: the latest
};

}  // namespace warpfork
