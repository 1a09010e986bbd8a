// Immediate postdominators (MULTIPATH section 2.2): where the threads that part at a branch are sure to meet again.
#pragma once

#include <optional>
#include <vector>

#include "analysis/cfg.h"
#include "analysis/ways.h"

namespace warpfork::analysis {

/// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), run on the reversed graph from a virtual
/// exit. Blocks that cannot reach the exit (an endless loop) are given one edge to it, from the last of them in the
/// text, so that branches inside the loop still have reconvergence points.
///
/// `if (i >= n) { …; return; } …; barrier` has its reconvergence point where those that stay go on, if leavers do not
/// count: they are the side that runs first.
///
/// Calls that share a body are matched with their returns (blocks_with_matched_calls()): all threads that call come
/// back. Those that part at its end, as they called from several places, meet where all that may follow any call meets,
/// unless they come before that to a place where others already wait for them: that is nowhere in later_meetings().
class Postdominators {
 public:
  explicit Postdominators(const ControlFlowGraph& graph, Leavers leavers = Leavers::DoNotCount);

  /// Nothing if only the exit postdominates the block.
  std::optional<BlockId> immediate(BlockId block) const;
  /// First instruction of the immediate postdominator of pc's block; kNoPc if that is the exit.
  Pc reconvergence_pc(Pc pc) const;
  /// By pc, of a block's first instruction: where all come to next that are there, whoever called, and kNoPc if that is
  /// the exit. Empty where no calls share a body.
  std::vector<Pc> later_meetings() const;

 private:
  void part_at_ends_of_calls(const ControlFlowGraph& graph, Leavers leavers);

  std::vector<BlockId> immediate_;  // by block; the number of blocks stands for the exit
  std::vector<BlockId> following_;  // likewise, in blocks_that_follow(); empty where no calls share a body
  std::vector<Pc> reconvergence_;   // by block
  const ControlFlowGraph* graph_;
};

}  // namespace warpfork::analysis
