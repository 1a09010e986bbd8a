// Multi-path IPDOM of one warp (MULTIPATH section 3): a split table and a reconvergence table instead of a stack.
#pragma once

#include <span>
#include <vector>

#include "divergence/distinct_paths.h"
#include "divergence/reconvergence_table.h"
#include "divergence/split_table.h"
#include "divergence/warp_local.h"

namespace warpfork {

/// Every split in the split table may issue (the first max_splits of them, where that is set). At a divergent branch
/// the split moves to the reconvergence table and its sides become splits; a split that comes to its reconvergence
/// point leaves the split table and the pending mask; the entry whose pending mask becomes empty comes back as one
/// split. A side that starts at the reconvergence point has arrived at once. A branch whose reconvergence point is that
/// of its own split adds no entry.
///
/// tables(), Figure 6 after step 3 (4 lanes, A at 0, B at 1, C at 2, D at 3, E at 4, F at 5, G at 6):
///   ST       pc   rpc  lanes
///             1     6  0101
///             3     5  0010
///             4     5  1000
///   RT       pc   rpc  lanes  pending
///             6     -  1111   1111
///             5     6  1010   1010
class MultiPath {
 public:
  static constexpr bool kWatchesBlocks = false;

  explicit MultiPath(const DivergenceSpec& spec)
      : reconvergences_(spec.reconvergence_entries), max_splits_(spec.max_splits) {}

  void launch(SplitSlots slots, Pc entry, ActiveMask lanes);
  std::span<const SplitId> runnable() const { return splits_.runnable(); }
  bool advance(unsigned slot, std::span<const Path> paths, Pc reconvergence);
  bool wait(unsigned slot);
  bool release(unsigned slot);
  ActiveMask live() const { return live_; }
  DivergenceDomain::TableUse table_use() const { return {splits_.most_used(), reconvergences_.most_used()}; }
  std::vector<ReconvergenceTable::Move>& table_moves() { return reconvergences_.moves(); }
  std::vector<StateTable> tables() const;

 protected:
  /// Does what advance() does and returns the slots whose splits have come to a new block.
  SlotSet move(unsigned slot, std::span<const Path> paths, Pc reconvergence);
  /// Brings back the lanes of this entry, or of the nearest entry around it that exits have left without pending lanes.
  /// Nobody's if the entry has been brought back since.
  SlotSet settle(ReconvergenceIndex innermost, SplitTable::Place place);

  SplitTable splits_;
  ReconvergenceTable reconvergences_;

 private:
  unsigned max_splits_;
  ActiveMask launched_, live_;
};

}  // namespace warpfork
