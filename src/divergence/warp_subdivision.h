// Dynamic warp subdivision of one warp (Meng, Tarjan and Skadron, ISCA 2010; MULTIPATH sections 1 and 7).
#pragma once

#include <span>
#include <vector>

#include "divergence/pdom_stack.h"
#include "divergence/split_table.h"
#include "divergence/warp_local.h"

namespace warpfork {

class DistinctPaths;

/// A stack as in PdomStack, until its top comes to a divergent branch that subdivides the warp: then the sides run
/// beside each other, as splits of a table, and those of the branches nested in it with them: "If a branch subdivides a
/// warp, DWS ignores IPDOMs nested in that branch" (MULTIPATH section 7). All wait at the subdividing branch's
/// reconvergence point until all have come there or exited; the top of the stack goes on from there. At most max_splits
/// splits may issue at a time, where that is set.
///
/// A branch subdivides if the basic block at its reconvergence point has at most DivergenceSpec::subdivide_limit
/// instructions: what threads that come late could have executed together is short. So does a branch without one.
/// Subdivision where some of a warp's loads miss is not modelled: a domain does not hear of caches.
///
/// Splits wait at barriers by themselves, a warp that is not subdivided as a whole.
///
/// tables(), Figure 6 after step 3 (4 lanes, A at 0, B at 1, C at 2, D at 3, E at 4, F at 5, G at 6): those of D and E
/// do not meet at F.
///   stack  pc  rpc  lanes
///           6    -  1111  subdivided
///   ST       pc   rpc  lanes
///             1     6  0101
///             3     6  0010
///             4     6  1000
class WarpSubdivision {
 public:
  static constexpr bool kWatchesBlocks = false;

  explicit WarpSubdivision(const DivergenceSpec& spec)
      : limit_(spec.subdivide_limit), max_splits_(spec.max_splits), stack_(spec) {}

  void begin_kernel(std::span<const FrontierPlace> order) { order_ = order; }
  void launch(SplitSlots slots, Pc entry, ActiveMask lanes);
  std::span<const SplitId> runnable() const { return is_subdivided() ? splits_.runnable() : stack_.runnable(); }
  bool advance(unsigned slot, std::span<const Path> paths, Pc reconvergence);
  bool wait(unsigned slot);
  bool release(unsigned slot);
  ActiveMask live() const { return stack_.live() - exited_; }
  std::vector<StateTable> tables() const;

 private:
  bool is_subdivided() const { return splits_.used().any(); }
  bool subdivides(Pc reconvergence) const;
  void part(SplitTable::Place place, const DistinctPaths& paths);
  void end_subdivision();

  unsigned limit_, max_splits_;
  std::span<const FrontierPlace> order_;  // by instruction
  PdomStack stack_;
  WarpSplit top_;      // the stack's, at the reconvergence point: its slot may be one of the splits'
  SplitTable splits_;  // of the subdivided warp
  ActiveMask exited_;  // in splits
  ActiveMask launched_;
  WarpSplit* slots_ = nullptr;
};

}  // namespace warpfork
