// Multi-path IPDOM with opportunistic early reconvergence (MULTIPATH section 4).
#pragma once

#include <span>

#include "divergence/multi_path.h"

namespace warpfork {

/// A split that enters a basic block in which another split of the warp with the same reconvergence point already runs
/// follows it: the leading split stops at its next instruction, an early reconvergence point in the reconvergence
/// table, and goes on from there together with the trailing one. A third split that enters the block meanwhile joins
/// the same early entry.
///
/// Same reconvergence point means the same entry of the reconvergence table, not only the same pc: joining splits of
/// different entries would need a joint one. A split that has waited at a barrier since it entered its block neither
/// leads nor is waited for: an early reconvergence must never stand between a thread and a barrier.
class MultiPathOr : public MultiPath {
 public:
  static constexpr bool kWatchesBlocks = true;

  using MultiPath::MultiPath;

  bool advance(unsigned slot, std::span<const Path> paths, Pc reconvergence);
  bool enter_block(unsigned slot, Pc first);
  bool wait(unsigned slot);

 private:
  bool join_leader(unsigned trailing);
  bool join_early_entry(unsigned trailing);
  void stop_leader(unsigned leading, unsigned trailing);
};

}  // namespace warpfork
